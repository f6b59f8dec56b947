#include "harness/trace/op_table.hpp"

#include "harness/trace/allocations.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace harness {
namespace {

constexpr double us_per_ns = 1e-3;

bool starts_step(std::string_view name) { return name.starts_with("ProfilerStep#"); }

/// Rows by name; operators, ranges and device work of the same name are rows of their own, as in PyTorch.
class Rows {
 public:
  explicit Rows(const Trace& trace) : trace_(trace), by_name_(3 * (trace.names.size() + 1), absent) {}

  OpRow& at(const Event& event) {
    const bool device = on_device(event.kind);
    const std::string_view name = trace_.name(event);
    const bool step = starts_step(name);
    const std::size_t group = device ? 2 : event.kind == Kind::user_annotation ? 1 : 0;
    const std::size_t id = step ? trace_.names.size() : event.name;
    std::int64_t& row = by_name_[3 * id + group];
    if (row == absent) {
      row = static_cast<std::int64_t>(rows.size());
      rows.push_back({.name = step ? "ProfilerStep*" : std::string(name), .device_row = device});
    }
    return rows[static_cast<std::size_t>(row)];
  }

  std::vector<OpRow> rows;

 private:
  const Trace& trace_;
  std::vector<std::int64_t> by_name_;
};

/// Times of each host event in ns, by EventId.
struct Times {
  std::vector<std::int64_t> self_cpu;
  std::vector<double> self_device;
  std::vector<double> device_total;
  std::vector<std::uint32_t> children;
};

bool takes_part(const std::vector<bool>& inside, EventId id) { return inside.empty() || inside[id]; }

Times measure(const Trace& trace, const Nesting& nesting, const std::vector<bool>& inside) {
  const std::size_t count = trace.events.size();
  Times times{
      std::vector<std::int64_t>(count), std::vector<double>(count), {}, std::vector<std::uint32_t>(count)};
  for (const EventId id : nesting.order) times.self_cpu[id] = trace.events[id].dur;
  for (const EventId id : nesting.order) {
    const EventId parent = nesting.parent[id];
    if (parent == no_event) continue;
    times.self_cpu[parent] -= trace.events[id].dur;
    ++times.children[parent];
  }
  for (EventId id = 0; id < count; ++id) {
    const EventId asker = nesting.asker[id];
    if (asker != no_event && takes_part(inside, id))
      times.self_device[asker] += static_cast<double>(trace.events[id].dur);
  }
  times.device_total = times.self_device;
  for (auto id = nesting.order.rbegin(); id != nesting.order.rend(); ++id)
    if (const EventId parent = nesting.parent[*id]; parent != no_event)
      times.device_total[parent] += times.device_total[*id];
  return times;
}

/// PyTorch folds a call into its caller where both have the same name and the caller calls nothing else.
bool folds(const Trace& trace, const Nesting& nesting, const Times& times, EventId id) {
  const EventId parent = nesting.parent[id];
  if (parent == no_event || times.children[parent] != 1) return false;
  const Event& inner = trace.events[id];
  const Event& outer = trace.events[parent];
  return inner.name == outer.name || (starts_step(trace.name(inner)) && starts_step(trace.name(outer)));
}

void add_host(const Trace& trace, const Nesting& nesting, const std::vector<bool>& inside, Rows& rows) {
  const Times times = measure(trace, nesting, inside);
  for (const EventId id : nesting.order) {
    if (!takes_part(inside, id)) continue;
    const Event& event = trace.events[id];
    OpRow& row = rows.at(event);
    row.self_cpu_us += static_cast<double>(times.self_cpu[id]) * us_per_ns;
    row.self_device_us += times.self_device[id] * us_per_ns;
    if (row.longest == no_event || times.self_cpu[id] > times.self_cpu[row.longest]) row.longest = id;
    if (folds(trace, nesting, times, id)) continue;
    ++row.calls;
    row.cpu_total_us += static_cast<double>(event.dur) * us_per_ns;
    row.device_total_us += times.device_total[id] * us_per_ns;
  }
}

void add_device(const Trace& trace, const std::vector<bool>& inside, Rows& rows) {
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const Event& event = trace.events[id];
    if (!on_device(event.kind) || !takes_part(inside, id)) continue;
    OpRow& row = rows.at(event);
    const double us = static_cast<double>(event.dur) * us_per_ns;
    ++row.calls;
    row.self_device_us += us;
    row.device_total_us += us;
  }
}

constexpr std::array<std::pair<std::string_view, OpKey>, 25> key_words = {{
    {"name", OpKey::name},
    {"calls", OpKey::calls},
    {"count", OpKey::calls},
    {"self_cpu", OpKey::self_cpu},
    {"self_cpu_us", OpKey::self_cpu},
    {"self_cpu_time_total", OpKey::self_cpu},
    {"cpu_total", OpKey::cpu_total},
    {"cpu_total_us", OpKey::cpu_total},
    {"cpu_time_total", OpKey::cpu_total},
    {"cpu_time", OpKey::cpu_average},
    {"cpu_average", OpKey::cpu_average},
    {"self_cuda", OpKey::self_device},
    {"cuda_total", OpKey::device_total},
    {"cuda_average", OpKey::device_average},
    {"device_total", OpKey::device_total},
    {"device_average", OpKey::device_average},
    {"self_device", OpKey::self_device},
    {"self_device_us", OpKey::self_device},
    {"self_cuda_time_total", OpKey::self_device},
    {"self_device_time_total", OpKey::self_device},
    {"device_total_us", OpKey::device_total},
    {"cuda_time_total", OpKey::device_total},
    {"device_time_total", OpKey::device_total},
    {"cuda_time", OpKey::device_average},
    {"device_time", OpKey::device_average},
}};

double value(const OpRow& row, OpKey key) {
  const auto calls = static_cast<double>(std::max<std::int64_t>(row.calls, 1));
  switch (key) {
    case OpKey::name:
      return 0;
    case OpKey::calls:
      return static_cast<double>(row.calls);
    case OpKey::self_cpu:
      return row.self_cpu_us;
    case OpKey::cpu_total:
      return row.cpu_total_us;
    case OpKey::cpu_average:
      return row.cpu_total_us / calls;
    case OpKey::self_device:
      return row.self_device_us;
    case OpKey::device_total:
      return row.device_total_us;
    case OpKey::device_average:
      return row.device_total_us / calls;
  }
  return 0;
}

}  // namespace

std::optional<OpKey> op_key(std::string_view word) {
  for (const auto& [name, key] : key_words)
    if (name == word) return key;
  return std::nullopt;
}

void sort_rows(OpTable& table, OpKey key) {
  std::stable_sort(table.rows.begin(), table.rows.end(), [&](const OpRow& left, const OpRow& right) {
    const double a = value(left, key);
    const double b = value(right, key);
    return a != b ? a > b : left.name < right.name;
  });
}

OpTable op_table(const Trace& trace, const Nesting& nesting, const std::vector<bool>& inside) {
  Rows rows(trace);
  add_host(trace, nesting, inside, rows);
  add_device(trace, inside, rows);
  OpTable table{.rows = std::move(rows.rows)};
  for (const OpRow& row : table.rows) {
    table.self_cpu_us += row.self_cpu_us;
    if (row.device_row) table.self_device_us += row.self_device_us;
  }
  if (const std::int64_t count = allocations_outside(trace, nesting, inside); count > 0)
    table.rows.push_back({.name = "[memory]", .calls = count});
  sort_rows(table, OpKey::self_cpu);
  return table;
}

}  // namespace harness
