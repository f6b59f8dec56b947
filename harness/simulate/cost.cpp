#include "harness/simulate/cost.hpp"

#include "harness/simulate/device_cost.hpp"
#include "harness/simulate/profiler_names.hpp"
#include "harness/simulate/units.hpp"

#include <algorithm>
#include <cmath>

namespace harness::simulate {
namespace {

using Does = Entry::Does;

Kind kind_of(const Entry& entry, const Gpu& gpu) {
  if (entry.as_copy > 0) return Kind::pinned;
  if (entry.does == Does::copy && entry.way != "d2d") return entry.pageable ? Kind::pageable : Kind::pinned;
  return working_seconds(entry, gpu) > moving_seconds(entry, gpu) ? Kind::product : Kind::memory;
}

/// An operator on host tensors: its dispatch, its bytes, and page by page what the system gives anew.
double compute_seconds(const Entry& entry, const Gpu& gpu) {
  const auto dispatch = entry.is_operator ? gpu["host_operator"] * micro : 0;
  const auto touching = entry.fresh >= gpu["fresh_at_least"] ? entry.fresh / (gpu["touch_rate"] * giga) : 0;
  return entry.us * micro + dispatch + entry.bytes / (gpu["host_rate"] * giga) + touching;
}

/// Gives entries their times on one GPU.
class Pricing {
 public:
  Pricing(const Gpu& gpu, const Shift& shift) : gpu_(gpu), shift_(shift) {}

  Call call(const Entry& entry) const {
    switch (entry.does) {
      case Does::copy:
        return copy_call(entry);
      case Does::record_event:
        return RecordEvent{entry.stream, entry.event, host("event_call")};
      case Does::wait_for_event:
        return WaitForEvent{entry.stream, entry.event, host("event_call")};
      case Does::synchronize:
        return Synchronize{entry.of, entry.of == Synchronize::For::event ? entry.event : entry.stream,
                           host("synchronize_call")};
      case Does::compute:
        return Compute{entry.name, time(Kind::host, compute_seconds(entry, gpu_)), entry.is_operator};
      case Does::graph:
        return graph_call(entry);
      case Does::kernel:
        break;
    }
    const auto dispatch = entry.is_operator ? host("operator") : 0;
    return Submit{
        entry.stream, command(entry), host("launch") + dispatch, false, entry.is_operator ? entry.name : "",
        dispatch};
  }

  /// Appends the commands before the entry's own, and waits for the numbers that some of them read, where a
  /// library makes many of one call.
  void add_library_commands(const Entry& entry, std::vector<Call>& calls) const {
    const auto made = library_commands(entry, gpu_);
    for (int i = 1; i < made.commands; ++i) {
      calls.emplace_back(
          Submit{entry.stream, kernel_command(entry, least_seconds(entry, gpu_)), host("launch")});
      if (i * made.reads / (made.commands - 1) != (i - 1) * made.reads / (made.commands - 1))
        calls.emplace_back(Synchronize{Synchronize::For::stream, entry.stream, host("synchronize_call")});
    }
  }

 private:
  Nanoseconds time(Kind kind, double seconds) const {
    return nanoseconds(seconds * (kind == shift_.kind ? shift_.times : 1));
  }
  Nanoseconds host(const char* value) const { return time(Kind::host, gpu_[value] * micro); }

  Command kernel_command(const Entry& kernel, double seconds) const {
    const auto all = rules_of(gpu_).multiprocessors;
    const auto lasts = kernel.us > 0 ? nanoseconds(seconds) : time(kind_of(kernel, gpu_), seconds);
    return {profiler_name(kernel), Engine::multiprocessors, lasts,
            kernel.blocks == 0 ? all : std::min(kernel.blocks, all)};
  }

  Command command(const Entry& entry, bool is_node = false) const {
    if (entry.does == Does::copy && entry.way != "d2d")
      return {.name = profiler_name(entry),
              .engine = entry.way == "h2d" ? Engine::to_device : Engine::to_host,
              .lasts = time(kind_of(entry, gpu_), copy_seconds(entry, gpu_)),
              .bytes = entry.bytes};
    auto kernel = entry;
    if (entry.does == Does::copy) kernel.bytes *= 2;  // read and written
    auto seconds = kernel_seconds(kernel, gpu_);
    const bool given = kernel.us > 0 || kernel.as_copy > 0;
    if (is_node && !given) seconds -= least_seconds(kernel, gpu_);  // it is part of the gap before
    return kernel_command(kernel, seconds);
  }

  /// A small pageable copy is staged while the call lasts; the others return when they have ended.
  Submit copy_call(const Entry& entry) const {
    const bool staged =
        entry.pageable && entry.way == "h2d" && entry.bytes <= gpu_["staged_at_once"] && !entry.waits;
    const auto staging = staged ? time(Kind::pageable, entry.bytes / staging_rate(gpu_)) : 0;
    return {entry.stream, command(entry), host("copy_call") + staging,
            entry.waits || (entry.pageable && !staged && entry.way != "d2d")};
  }

  LaunchGraph graph_call(const Entry& entry) const {
    LaunchGraph graph{entry.stream, {}, host("graph_call")};
    for (const auto& node : entry.nodes)
      for (int i = 0; i < node.times; ++i) {
        auto after = node.after;
        if (i > 0) after = {graph.nodes.size() - 1};  // a repeated node is a chain
        graph.nodes.push_back({command(node, true), std::move(after)});
      }
    return graph;
  }

  const Gpu& gpu_;
  Shift shift_;
};

}  // namespace

Rules shifted(Rules rules, const Shift& shift) {
  if (shift.kind != Kind::host || !shift.waits) return rules;
  for (auto* time : {&rules.reach, &rules.gap, &rules.node_gap, &rules.wake})
    *time = std::llround(static_cast<double>(*time) * shift.times);
  return rules;
}

Schedule schedule_of(const FormRecord& record, const Gpu& gpu, const Shift& shift) {
  const Pricing plain(gpu, {});
  const Pricing pricing(gpu, shift);
  Schedule schedule{{}, record.non_blocking};
  for (std::size_t i = 0; i < record.entries.size(); ++i) {
    const auto& entry = record.entries[i];
    const bool touched = shift.calls == nullptr || (*shift.calls)[i];
    const auto& prices = touched ? pricing : plain;
    std::vector<Call> calls;
    prices.add_library_commands(entry, calls);
    calls.push_back(prices.call(entry));
    for (int time = 0; time < entry.times; ++time)
      schedule.calls.insert(schedule.calls.end(), calls.begin(), calls.end());
  }
  return schedule;
}

}  // namespace harness::simulate
