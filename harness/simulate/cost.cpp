#include "harness/simulate/cost.hpp"

#include "harness/simulate/units.hpp"

#include <algorithm>

namespace harness::simulate {
namespace {

using Does = Entry::Does;

double link_rate(const Gpu& gpu) {
  const auto generation = std::to_string(static_cast<int>(gpu["link_generation"]));
  return gpu["link_rate_" + generation] * gpu["link_share"] * giga;
}

/// Bytes a second at which the host moves pageable memory for a copy: its own, or that of hosts with this link.
double staging_rate(const Gpu& gpu) {
  if (gpu.has("staging_rate")) return gpu["staging_rate"] * giga;
  return gpu["staging_rate_" + std::to_string(static_cast<int>(gpu["link_generation"]))] * giga;
}

/// FLOP per second. An FMA does two FLOP; arithmetic of single operations gets half.
double flop_rate(const Entry& kernel, const Gpu& gpu) {
  if (kernel.unit == "arithmetic") return gpu["fp32"] / 2 * tera;
  return gpu[kernel.unit] * gpu[kernel.unit + "_share"] * tera;
}

/// The last wave of blocks leaves multiprocessors idle.
double waves_over_share(int blocks, int multiprocessors) {
  if (blocks == 0) return 1;
  const auto waves = (blocks + multiprocessors - 1) / multiprocessors;
  return static_cast<double>(waves) * multiprocessors / blocks;
}

int taken_by(const Entry& kernel, const Gpu& gpu) {
  const auto all = rules_of(gpu).multiprocessors;
  return kernel.blocks == 0 ? all : std::min(kernel.blocks, all);
}

/// What a kernel takes beside its work.
double least_seconds(const Entry& kernel, const Gpu& gpu) {
  return gpu[kernel.reduction ? "reduction_least" : "kernel_least"] * micro;
}

Command kernel_command(const Entry& kernel, const Gpu& gpu) {
  return {kernel.name, Engine::multiprocessors, nanoseconds(kernel_seconds(kernel, gpu)),
          taken_by(kernel, gpu)};
}

Command command_of(const Entry& entry, const Gpu& gpu) {
  if (entry.does != Does::copy) return kernel_command(entry, gpu);
  if (entry.way == "d2d") {
    auto kernel = entry;
    kernel.bytes *= 2;  // read and written
    return kernel_command(kernel, gpu);
  }
  const auto engine = entry.way == "h2d" ? Engine::to_device : Engine::to_host;
  return {entry.name.empty() ? entry.way : entry.name, engine, nanoseconds(copy_seconds(entry, gpu))};
}

/// A node's least time is part of the gap before it.
Command node_command(const Entry& entry, const Gpu& gpu) {
  auto command = command_of(entry, gpu);
  if (command.engine == Engine::multiprocessors && entry.us == 0)
    command.lasts -= nanoseconds(least_seconds(entry, gpu));
  return command;
}

/// A small pageable copy is staged while the call lasts; the others return when they have ended.
Submit copy_call(const Entry& entry, const Gpu& gpu) {
  const bool staged =
      entry.pageable && entry.way == "h2d" && entry.bytes <= gpu["staged_at_once"] && !entry.waits;
  const auto staging = staged ? entry.bytes / staging_rate(gpu) : 0;
  return {entry.stream, command_of(entry, gpu), nanoseconds(gpu["copy_call"] * micro + staging),
          entry.waits || (entry.pageable && !staged && entry.way != "d2d")};
}

/// An operator on host tensors: its dispatch, its bytes, and page by page what the system gives anew.
double compute_seconds(const Entry& entry, const Gpu& gpu) {
  const auto dispatch = entry.is_operator ? gpu["host_operator"] * micro : 0;
  const auto touching = entry.fresh >= gpu["fresh_at_least"] ? entry.fresh / (gpu["touch_rate"] * giga) : 0;
  return entry.us * micro + dispatch + entry.bytes / (gpu["host_rate"] * giga) + touching;
}

LaunchGraph graph_call(const Entry& entry, const Gpu& gpu) {
  LaunchGraph graph{entry.stream, {}, nanoseconds(gpu["graph_call"] * micro)};
  for (const auto& node : entry.nodes)
    for (int i = 0; i < node.times; ++i) {
      auto after = node.after;
      if (i > 0) after = {graph.nodes.size() - 1};  // a repeated node is a chain
      graph.nodes.push_back({node_command(node, gpu), std::move(after)});
    }
  return graph;
}

Call call_of(const Entry& entry, const Gpu& gpu) {
  const auto us = [&](const char* name) { return nanoseconds(gpu[name] * micro); };
  switch (entry.does) {
    case Does::copy:
      return copy_call(entry, gpu);
    case Does::record_event:
      return RecordEvent{entry.stream, entry.event, us("event_call")};
    case Does::wait_for_event:
      return WaitForEvent{entry.stream, entry.event, us("event_call")};
    case Does::synchronize:
      return Synchronize{entry.of, entry.of == Synchronize::For::event ? entry.event : entry.stream,
                         us("synchronize_call")};
    case Does::compute:
      return Compute{entry.name, nanoseconds(compute_seconds(entry, gpu))};
    case Does::graph:
      return graph_call(entry, gpu);
    case Does::kernel:
      break;
  }
  return Submit{entry.stream, kernel_command(entry, gpu),
                us("launch") + (entry.is_operator ? us("operator") : 0)};
}

}  // namespace

double kernel_seconds(const Entry& kernel, const Gpu& gpu) {
  if (kernel.us > 0) return kernel.us * micro;
  const auto moving = kernel.bytes / (gpu["memory_rate"] * gpu["memory_share"] * giga);
  const auto working = kernel.flop > 0 ? kernel.flop / flop_rate(kernel, gpu) *
                                             waves_over_share(kernel.blocks, rules_of(gpu).multiprocessors)
                                       : 0;
  return std::max(moving, working) + least_seconds(kernel, gpu);
}

double copy_seconds(const Entry& copy, const Gpu& gpu) {
  const bool staged_in_time = copy.way == "h2d" && copy.bytes <= gpu["staged_at_once"];
  auto rate = link_rate(gpu);
  if (copy.pageable && !staged_in_time) rate = std::min(rate, staging_rate(gpu));
  return gpu["copy_start"] * micro + copy.bytes / rate;
}

Schedule schedule_of(const FormRecord& record, const Gpu& gpu) {
  Schedule schedule{{}, record.non_blocking};
  for (const auto& entry : record.entries)
    for (int i = 0; i < entry.times; ++i) schedule.calls.push_back(call_of(entry, gpu));
  return schedule;
}

}  // namespace harness::simulate
