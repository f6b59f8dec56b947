// The calls that start kernels, and those of them whose kernels are not in the trace.
#pragma once

#include "harness/trace/trace.hpp"

#include <span>

namespace harness::trace {

/// What became of a call that starts kernels.
enum class LaunchOutcome : std::uint8_t {
  ran,
  captured,  // recorded into a graph: nothing runs
  lost       // the profiler recorded the call but no kernel
};

struct LaunchCall {
  std::int64_t ts = 0;
  LaunchOutcome what = LaunchOutcome::ran;
  bool graph = false;  // starts a whole graph
};

/// How many calls of a part of a trace start kernels.
struct LaunchCount {
  std::int64_t all = 0;
  std::int64_t captured = 0;
  std::int64_t lost = 0;
  std::int64_t graphs = 0;
  /// A run that uses graphs needs no advice to use them, and of one without launches nobody knows.
  bool may_lack_graphs() const { return all > 0 && graphs == 0; }
  LaunchCount& operator+=(const LaunchCount& other);
};

/// True for calls of a runtime or a driver that start one kernel: "cudaLaunchKernel",
/// "hipModuleLaunchKernel".
bool is_kernel_launch(std::string_view call);
/// True for calls that start a captured graph.
bool is_graph_launch(std::string_view call);
/// True for work that the launch of a graph started.
bool is_in_graph(const Trace& trace, EventId work);

/// By time; only calls that carry a number by which kernels name them.
std::vector<LaunchCall> launch_calls(const Trace& trace);

LaunchCount count_all(std::span<const LaunchCall> calls);
/// Those that begin in [begin, end).
LaunchCount count_within(std::span<const LaunchCall> calls, std::int64_t begin, std::int64_t end);

/// True if more calls than this have no kernel in the trace than a verdict can overlook.
bool too_few_kernels(const LaunchCount& count);

/// How many kernels the profiler lost, and what lacks them; "" where it lost none.
std::string lost_text(const LaunchCount& count);

}  // namespace harness::trace
