#include "harness/trace/op_table.hpp"

#include "harness/trace/nesting.hpp"
#include "harness/trace/trace_text.hpp"
#include "harness/trace/window.hpp"

#include <array>
#include <map>
#include <utility>

namespace harness::trace {
namespace {

/// Rows by name; operators, ranges and device work of the same name are rows of their own, as in PyTorch.
class Rows {
 public:
  Rows(const Trace& trace, bool by_shape)
      : trace_(trace), by_shape_(by_shape), by_name_(3 * (trace.names.size() + 1), absent) {}

  OpRow& at(const Event& event) {
    const bool device = on_device(event.kind);
    const std::string_view name = trace_.name(event);
    const bool step = is_step(name);
    const bool range = event.kind == Kind::user_annotation;
    const std::size_t id = step ? trace_.names.size() : event.name;
    const std::size_t key = 3 * id + (device ? 2 : range ? 1 : 0);
    const auto shapes = by_shape_ && event.kind == Kind::cpu_op ? argument(trace_, event, "Input Dims") : "";
    std::int64_t& row =
        shapes.empty() ? by_name_[key] : by_shapes_.try_emplace({key, shapes}, absent).first->second;
    if (row == absent) {
      row = static_cast<std::int64_t>(rows.size());
      OpRow& fresh = rows.emplace_back();
      fresh.name = step ? "ProfilerStep*" : std::string(name);
      fresh.device_row = device;
      fresh.range = range;
      fresh.shapes = shapes;
    }
    return rows[static_cast<std::size_t>(row)];
  }

  std::vector<OpRow> rows;

 private:
  const Trace& trace_;
  bool by_shape_;
  std::vector<std::int64_t> by_name_;
  std::map<std::pair<std::size_t, std::string_view>, std::int64_t> by_shapes_;
};

/// Times of each host event in ns, by EventId.
struct Times {
  std::vector<std::int64_t> self_cpu;
  std::vector<double> self_device;
  std::vector<double> device_total;
  std::vector<std::uint32_t> children;
};

Times measure(const Trace& trace, const std::vector<bool>& inside) {
  const std::size_t count = trace.events.size();
  Times times{
      std::vector<std::int64_t>(count), std::vector<double>(count), {}, std::vector<std::uint32_t>(count)};
  for (const EventId id : trace.nesting.order) times.self_cpu[id] = trace.events[id].dur;
  for (const EventId id : trace.nesting.order) {
    const EventId parent = trace.nesting.parent[id];
    if (parent == no_event) continue;
    times.self_cpu[parent] -= trace.events[id].dur;
    ++times.children[parent];
  }
  for (EventId id = 0; id < count; ++id) {
    const EventId asker = trace.nesting.asker[id];
    if (asker != no_event && on_device(trace.events[id].kind) && takes_part(inside, id))  // not left out
      times.self_device[asker] += static_cast<double>(trace.events[id].dur);
  }
  times.device_total = times.self_device;
  for (auto id = trace.nesting.order.rbegin(); id != trace.nesting.order.rend(); ++id)
    if (const EventId parent = trace.nesting.parent[*id]; parent != no_event)
      times.device_total[parent] += times.device_total[*id];
  return times;
}

/// PyTorch folds a call into its caller where both have the same name and the caller calls nothing else.
bool folds(const Trace& trace, const Times& times, EventId id) {
  const EventId parent = trace.nesting.parent[id];
  if (parent == no_event || times.children[parent] != 1) return false;
  const Event& inner = trace.events[id];
  const Event& outer = trace.events[parent];
  return inner.name == outer.name || (is_step(trace.name(inner)) && is_step(trace.name(outer)));
}

/// The call whose row it belongs to: itself, or the one that it is folded into.
EventId row_owner(const Trace& trace, const Times& times, EventId id) {
  while (folds(trace, times, id)) id = trace.nesting.parent[id];
  return id;
}

MemoryUse use_of(const Trace& trace, const Event& event) {
  const bool host = integer(argument(trace, event, "Device Type")).value_or(0) == 0;
  return host ? MemoryUse{event.bytes, 0} : MemoryUse{0, event.bytes};
}

std::vector<EventId> memory_events(const Trace& trace, const std::vector<bool>& inside) {
  std::vector<EventId> events;
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (trace.events[id].kind == Kind::memory && takes_part(inside, id)) events.push_back(id);
  return events;
}

/// The memory events of a trace, asked by time.
class Allocations {
 public:
  explicit Allocations(const Trace& trace) {
    auto events = memory_events(trace, {});
    std::ranges::stable_sort(events, {}, [&](EventId id) { return trace.events[id].ts; });
    MemoryUse sum;
    for (const EventId id : events) {
      times_.push_back(trace.events[id].ts);
      sums_.push_back(sum += use_of(trace, trace.events[id]));
    }
  }

  /// False where the profiler recorded no memory.
  bool recorded() const { return !times_.empty(); }

  /// From `begin` to `end`, both included, over all threads: as PyTorch gives memory to operators.
  MemoryUse within(std::int64_t begin, std::int64_t end) const {
    const auto before = std::ranges::lower_bound(times_, begin) - times_.begin();
    const auto up_to = std::ranges::upper_bound(times_, end) - times_.begin();
    if (up_to <= before) return {};
    MemoryUse use = sums_[static_cast<std::size_t>(up_to - 1)];
    return before == 0 ? use : use -= sums_[static_cast<std::size_t>(before - 1)];
  }

 private:
  std::vector<std::int64_t> times_;  // rising
  std::vector<MemoryUse> sums_;      // up to and with that event
};

/// What each call took, callees included and without them.
void add_memory(const Trace& trace, const std::vector<bool>& inside, const Times& times, Rows& rows) {
  const Allocations allocations(trace);
  if (!allocations.recorded()) return;
  const auto of = [&](EventId id) { return allocations.within(trace.events[id].ts, trace.events[id].end()); };
  const auto row_of = [&](EventId id) -> OpRow& {
    return rows.at(trace.events[row_owner(trace, times, id)]);
  };
  for (const EventId id : trace.nesting.order) {
    const EventId parent = trace.nesting.parent[id];
    const auto use = of(id);
    if (parent != no_event && takes_part(inside, parent)) row_of(parent).self_memory -= use;
    if (!takes_part(inside, id)) continue;
    OpRow& row = row_of(id);
    row.self_memory += use;
    if (!folds(trace, times, id)) row.memory += use;
  }
}

void add_host(const Trace& trace, const std::vector<bool>& inside, Rows& rows) {
  const Times times = measure(trace, inside);
  add_memory(trace, inside, times, rows);
  for (const EventId id : trace.nesting.order) {
    if (!takes_part(inside, id)) continue;
    const Event& event = trace.events[id];
    OpRow& row = rows.at(trace.events[row_owner(trace, times, id)]);
    row.self_cpu_us += us_of(times.self_cpu[id]);
    row.self_device_us += times.self_device[id] * us_per_ns;
    if (row.longest == no_event || times.self_cpu[id] > times.self_cpu[row.longest]) row.longest = id;
    if (folds(trace, times, id)) continue;
    ++row.calls;
    row.cpu_total_us += us_of(event.dur);
    row.device_total_us += times.device_total[id] * us_per_ns;
  }
}

void add_device(const Trace& trace, const std::vector<bool>& inside, Rows& rows) {
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const Event& event = trace.events[id];
    if (!on_device(event.kind) || !takes_part(inside, id)) continue;
    OpRow& row = rows.at(event);
    const double us = us_of(event.dur);
    ++row.calls;
    row.self_device_us += us;
    row.device_total_us += us;
  }
}

/// Memory events at a time when no host event of any thread runs: PyTorch's row "[memory]".
OpRow outside_row(const Trace& trace, const std::vector<bool>& inside) {
  OpRow row;
  row.name = "[memory]";
  const auto events = memory_events(trace, inside);
  if (events.empty()) return row;
  std::vector<Span> running;
  running.reserve(trace.nesting.order.size());
  for (const EventId id :
       trace.nesting.order)  // one more nanosecond: an allocation at the very end belongs to the operator
    running.push_back({trace.events[id].ts, trace.events[id].end() + 1});
  const Coverage covered(merged(std::move(running)));
  for (const EventId id : events) {
    const auto time = trace.events[id].ts;
    if (covered.within(time, time + 1) > 0) continue;
    ++row.calls;
    row.memory += use_of(trace, trace.events[id]);
  }
  row.self_memory = row.memory;
  return row;
}

double calls_of(const OpRow& row) { return static_cast<double>(std::max<std::int64_t>(row.calls, 1)); }

/// A column to sort by: the words for it, ours first.
struct Column {
  std::string_view words;
  OpKey figure;
};

constexpr auto columns = std::to_array<Column>({
    {"name", [](const OpRow&) { return 0.0; }},
    {"calls count", [](const OpRow& row) { return static_cast<double>(row.calls); }},
    {"self_cpu self_cpu_us self_cpu_time_total self_cpu_percent",
     [](const OpRow& row) { return row.self_cpu_us; }},
    {"cpu_total cpu_total_us cpu_time_total cpu_total_percent",
     [](const OpRow& row) { return row.cpu_total_us; }},
    {"cpu_average cpu_time", [](const OpRow& row) { return row.cpu_total_us / calls_of(row); }},
    {"self_cuda self_cuda_time_total self_cuda_percent self_device self_device_us self_device_time_total "
     "self_device_percent",
     [](const OpRow& row) { return row.self_device_us; }},
    {"cuda_total cuda_time_total device_total device_total_us device_time_total",
     [](const OpRow& row) { return row.device_total_us; }},
    {"cuda_average cuda_time device_average device_time",
     [](const OpRow& row) { return row.device_total_us / calls_of(row); }},
    {"self_cpu_memory self_cpu_memory_usage",
     [](const OpRow& row) { return static_cast<double>(row.self_memory.host); }},
    {"cpu_memory cpu_memory_usage", [](const OpRow& row) { return static_cast<double>(row.memory.host); }},
    {"self_cuda_memory self_cuda_memory_usage self_device_memory_usage",
     [](const OpRow& row) { return static_cast<double>(row.self_memory.device); }},
    {"cuda_memory cuda_memory_usage device_memory_usage",
     [](const OpRow& row) { return static_cast<double>(row.memory.device); }},
});

}  // namespace

OpTable op_table(const Trace& trace, const std::vector<bool>& inside, bool by_shape) {
  Rows rows(trace, by_shape);
  add_host(trace, inside, rows);
  add_device(trace, inside, rows);
  OpTable table{.rows = std::move(rows.rows)};
  table.memory_recorded = Allocations(trace).recorded();
  for (OpRow& row : table.rows) {
    if (row.longest != no_event) row.where = call_site(trace, row.longest);
    table.self_cpu_us += row.self_cpu_us;
    if (row.device_row) table.self_device_us += row.self_device_us;
  }
  if (auto outside = outside_row(trace, inside); outside.calls > 0) table.rows.push_back(std::move(outside));
  sort_rows(table, op_key("self_cpu"));
  return table;
}

MemoryUse& MemoryUse::operator+=(const MemoryUse& other) {
  host += other.host;
  device += other.device;
  return *this;
}

MemoryUse& MemoryUse::operator-=(const MemoryUse& other) {
  host -= other.host;
  device -= other.device;
  return *this;
}

OpKey op_key(std::string_view word) {
  const auto* column =
      std::ranges::find_if(columns, [&](const Column& each) { return is_word_of(each.words, word); });
  return column == columns.end() ? nullptr : column->figure;
}

std::vector<std::string> op_columns() {
  std::vector<std::string> words;
  for (const auto& column : columns) words.emplace_back(column.words.substr(0, column.words.find(' ')));
  return words;
}

void sort_rows(OpTable& table, OpKey key) {
  std::stable_sort(table.rows.begin(), table.rows.end(), [&](const OpRow& left, const OpRow& right) {
    const double a = key(left);
    const double b = key(right);
    return a != b ? a > b : left.name < right.name;
  });
}

}  // namespace harness::trace
