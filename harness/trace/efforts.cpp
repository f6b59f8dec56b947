#include "harness/trace/efforts.hpp"

#include "harness/trace/kernels.hpp"
#include "harness/trace/shapes.hpp"

#include <algorithm>
#include <unordered_map>

namespace harness::trace {
namespace {

/// The innermost operator around the kernel whose need can be counted: linear -> addmm -> kernel.
EventId counted_around(const Trace& trace, const Nesting& nesting, const std::vector<bool>& counted,
                       EventId op) {
  constexpr int outward = 3;
  for (int i = 0; i < outward && op != no_event && !counted[trace.events[op].name]; ++i)
    op = nesting.parent[op];
  return op != no_event && counted[trace.events[op].name] ? op : no_event;
}

void add_roof(const Effort& call, const DeviceModel& model, EffortRow& row) {
  const double peak = peak_flops(model, call.arithmetic);
  const double arithmetic_us = peak > 0 ? call.need.flop / peak * 1e6 : 0;
  const double memory_us = call.need.bytes / (model.bandwidth_gb_s * 1e3);
  row.arithmetic_us += arithmetic_us;
  row.memory_us += memory_us;
  row.roof_us += std::max(arithmetic_us, memory_us);
}

}  // namespace

bool has_shapes(const Trace& trace) {
  constexpr int enough = 100;  // operators without a tensor record empty shapes; not that many in a row
  int seen = 0;
  for (const auto& event : trace.events) {
    if (event.kind != Kind::cpu_op) continue;
    if (!argument(trace, event, "Input Dims").empty()) return true;
    if (++seen == enough) break;
  }
  return false;
}

Efforts efforts(const Trace& trace, const Nesting& nesting) {
  Efforts found;
  if (!has_shapes(trace)) return found;
  found.of_event.assign(trace.events.size(), -1);
  std::vector<bool> counted(trace.names.size());
  for (NameId name = 0; name < trace.names.size(); ++name) counted[name] = has_need(trace.names[name]);
  std::unordered_map<EventId, std::int32_t> known;  // by operator; -1: its record is incomplete
  std::unordered_map<NameId, Arithmetic> of_name;   // a trace has many kernels of few names
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& work = trace.events[id];
    if (work.kind != Kind::kernel) continue;
    const auto op = counted_around(trace, nesting, counted, nesting.asker[id]);
    if (op == no_event) continue;
    const auto [entry, fresh] = known.try_emplace(op, -1);
    if (fresh) {
      if (const auto need = need_of(recorded(trace, trace.events[op]))) {
        entry->second = static_cast<std::int32_t>(found.calls.size());
        found.calls.push_back({.op = op, .need = *need});
      }
    }
    if (entry->second < 0) continue;
    auto& call = found.calls[static_cast<std::size_t>(entry->second)];
    call.device_us += static_cast<double>(work.dur) / 1e3;
    if (call.arithmetic == Arithmetic::unknown) {
      const auto [named, first] = of_name.try_emplace(work.name, Arithmetic::unknown);
      if (first) named->second = kernel_arithmetic(trace.name(work));
      call.arithmetic = named->second;
    }
    found.of_event[id] = entry->second;
  }
  return found;
}

std::vector<EffortRow> effort_rows(const Trace& trace, std::span<const Effort> calls,
                                   const std::vector<bool>& inside, const DeviceModel* model) {
  std::vector<EffortRow> rows;
  std::unordered_map<NameId, std::size_t> row_of;
  std::vector<double> longest;
  for (const auto& call : calls) {
    if (!inside.empty() && !inside[call.op]) continue;
    const auto& op = trace.events[call.op];
    const auto [entry, fresh] = row_of.try_emplace(op.name, rows.size());
    if (fresh) {
      rows.push_back({.op = std::string(trace.name(op))});
      longest.push_back(0);
    }
    auto& row = rows[entry->second];
    ++row.calls;
    row.need.flop += call.need.flop;
    row.need.bytes += call.need.bytes;
    row.device_us += call.device_us;
    if (model != nullptr) add_roof(call, *model, row);
    if (call.device_us >= longest[entry->second]) {
      longest[entry->second] = call.device_us;
      row.arithmetic = call.arithmetic;
    }
  }
  std::ranges::stable_sort(rows, std::ranges::greater{}, &EffortRow::device_us);
  return rows;
}

}  // namespace harness::trace
