#include "harness/trace/device_time.hpp"

#include "harness/support/quantity.hpp"
#include "harness/trace/accelerators.hpp"
#include "harness/trace/kernels.hpp"
#include "harness/trace/launch_calls.hpp"
#include "harness/trace/trace_text.hpp"
#include "harness/trace/window.hpp"

#include <fmt/format.h>

namespace harness::trace {
namespace {

constexpr std::int64_t kernel_wait_limit = 30'000;  // ns; Holistic Trace Analysis' "consecutive kernel delay"

constexpr std::int64_t most_bytes = std::int64_t{1} << 46;  // of one copy; keeps the sum of any file in range

/// Other kernels compute; copies and fills are memory.
enum class WorkKind : std::uint8_t { compute, communication, memory };

using KernelKinds = ByName<decltype(&kernel_kind)>;

WorkKind work_of(const Event& event, KernelKinds& kinds) {
  if (event.kind == Kind::memcpy || event.kind == Kind::memset) return WorkKind::memory;
  const bool communicates = event.kind == Kind::kernel && kinds(event) == KernelKind::communication;
  return communicates ? WorkKind::communication : WorkKind::compute;
}

void add_busy(const Trace& trace, KernelKinds& kinds, const DeviceWork& device, DeviceTime& time) {
  std::vector<Span> parts[3];
  std::vector<Span> kernels;
  std::vector<Span> all;
  for (const EventId id : device.work) {
    const Event& event = trace.events[id];
    parts[static_cast<std::size_t>(work_of(event, kinds))].push_back(event.span());
    all.push_back(event.span());
    if (event.kind == Kind::memset) time.memset_us += us_of(event.dur);
    if (event.kind != Kind::kernel) continue;
    ++time.kernels;
    kernels.push_back(event.span());
  }
  const Intervals compute = merged(std::move(parts[0]));
  const Intervals communication = merged(std::move(parts[1]));
  const Intervals memory = merged(std::move(parts[2]));
  const std::int64_t busy = length(merged(std::move(all)));
  time.span_us = us_of(device.end - device.begin);
  time.idle_us = us_of(device.end - device.begin - busy);
  time.compute_us = us_of(length(compute));
  time.communication_us = us_of(length(communication));
  time.memory_us = us_of(length(memory));
  time.non_compute_us = us_of(busy - length(compute));
  time.compute_and_communication_us = us_of(length(intersection(compute, communication)));
  time.compute_and_memory_us = us_of(length(intersection(compute, memory)));
  time.kernel_resident_us = us_of(length(merged(std::move(kernels))));
}

/// Blocks fewer than multiprocessors leave some without work; more keep all of them busy.
void add_sm_share(const Trace& trace, const DeviceWork& device, DeviceTime& time) {
  double weighted = 0;
  double weight = 0;
  for (const EventId id : device.work) {
    const Event& event = trace.events[id];
    if (event.kind != Kind::kernel || event.blocks_per_sm < 0) continue;
    const auto duration = static_cast<double>(event.dur);
    weighted += duration * std::min(1.0, static_cast<double>(event.blocks_per_sm));
    weight += duration;
  }
  if (weight > 0) time.sm_share = weighted / weight;
}

void add_idle(const Trace& trace, EventId id, std::int64_t free_since, Idle& idle) {
  const Event& event = trace.events[id];
  const std::int64_t gap = event.ts - free_since;
  if (gap <= 0) return;
  const EventId launch = trace.nesting.launch[id];
  if (launch != no_event && trace.events[launch].ts > free_since) {
    idle.host_wait_us += us_of(gap);
  } else if (gap < kernel_wait_limit) {
    idle.kernel_wait_us += us_of(gap);
  } else {
    idle.other_us += us_of(gap);
  }
}

void add_streams(const Trace& trace, const DeviceWork& device, DeviceTime& time) {
  struct State {
    StreamTime sum;
    std::int64_t free_since = 0;
  };
  std::map<std::int64_t, State> streams;
  for (const EventId id : device.work) {
    const Event& event = trace.events[id];
    State& state = streams[event.stream];
    if (state.sum.events > 0) add_idle(trace, id, state.free_since, state.sum.idle);
    const std::int64_t from = state.sum.events > 0 ? std::max(state.free_since, event.ts) : event.ts;
    state.sum.busy_us += us_of(std::max<std::int64_t>(event.end() - from, 0));
    state.free_since = std::max(from, event.end());
    ++state.sum.events;
  }
  for (auto& [number, state] : streams) {
    state.sum.stream = number;
    time.streams.push_back(state.sum);
  }
}

void add_copies(const Trace& trace, const DeviceWork& device, DeviceTime& time) {
  std::map<std::pair<Direction, HostMemory>, CopyTime> sorts;
  for (const EventId id : device.work) {
    const Event& event = trace.events[id];
    if (event.kind != Kind::memcpy) continue;
    CopyTime& sum =
        sorts.try_emplace({event.direction, event.host_memory}, CopyTime{.bytes = absent}).first->second;
    sum.direction = event.direction;
    sum.host_memory = event.host_memory;
    ++sum.count;
    sum.us += us_of(event.dur);
    const EventId launch = trace.nesting.launch[id];
    // AMD's traces give the size with the call, not with the copy.
    const std::int64_t bytes =
        event.bytes < 0 && launch != no_event ? trace.events[launch].bytes : event.bytes;
    if (bytes >= 0) sum.bytes = std::max<std::int64_t>(sum.bytes, 0) + std::min(bytes, most_bytes);
    if (launch != no_event) sum.waiting_us += us_of(trace.events[launch].dur);
  }
  for (const auto& [sort, sum] : sorts) time.copies.push_back(sum);
}

}  // namespace

std::vector<DeviceTime> device_time(const Trace& trace, const std::vector<bool>& inside) {
  KernelKinds kinds(trace, kernel_kind);
  std::vector<DeviceTime> result;
  for (const auto& [number, device] : device_work(trace, inside)) {
    DeviceTime time;
    time.rank = std::max<std::int64_t>(trace.rank, 0);
    time.device = number;
    add_busy(trace, kinds, device, time);
    add_sm_share(trace, device, time);
    add_streams(trace, device, time);
    add_copies(trace, device, time);
    result.push_back(std::move(time));
  }
  return result;
}

namespace {

/// Launches whose kernels the trace does not have.
RegimeVerdict without_kernels(const LaunchCount& launches) {
  const bool captured = launches.captured >= launches.lost;
  return {.evidence = fmt::format(
              "{} of {} launches have no kernel in the trace{}, so it does not show how long "
              "the device worked",
              count_text(launches.captured + launches.lost), count_text(launches.all),
              captured ? ": they were captured into a graph, which runs later" : ": the profiler lost them"),
          .would_change = captured ? "recording what runs after the capture"
                                   : "recording fewer steps, until each launch has its kernel"};
}

}  // namespace

bool can_be_judged(const Shares& shares) {
  return shares.doubt.empty() && (shares.of_host || !too_few_kernels(shares.launches));
}

bool starts_up(const Shares& shares) { return shares.share(Use::start_up) > majority; }

RegimeVerdict device_silence(const Shares& shares) {
  if (!shares.doubt.empty())
    return {.evidence = shares.doubt, .would_change = "a recording with possible times"};
  if (too_few_kernels(shares.launches)) return without_kernels(shares.launches);
  if (shares.window_us <= 0) return {.evidence = "the trace contains no time to judge"};
  if (starts_up(shares))
    return {
        .evidence = fmt::format("for {} of the time the device idles while code and libraries are loaded, as "
                                "on the first use of kernels",
                                share_text(shares.share(Use::start_up))),
        .would_change = "a recording after a few steps to warm up"};
  if (shares[Use::unknown_work] > 0 && shares[Use::unknown_work] >= shares[Use::wait_other])
    return {.evidence = "neither names nor shapes show what kind of work this device did"};
  if (!shares.causes_known)
    return {
        .evidence = "the device waits, and the clocks of host and device differ, so for what cannot be said",
        .would_change = "a recording with possible times"};
  return {.evidence = "the device waits, and the trace does not show for what"};
}

RegimeVerdict no_device(const Trace& trace) {
  if (const auto other = named_device(trace); other != "GPU")
    return {.evidence =
                fmt::format("the trace has no device events, but its operators ran on an accelerator of "
                            "another kind ({}); it shows what the host did (below), but not what the "
                            "device did",
                            other)};
  if (!trace.works_on.empty())
    return {.evidence = "the trace is a list of operators by autograd's profiler, which has no kernels",
            .would_change = "recording with torch.profiler and ProfilerActivity.CUDA"};
  // The calls of the runtime are recorded with the device's work, or not at all.
  const bool asked =
      std::ranges::any_of(trace.events, [](const Event& event) { return event.kind == Kind::runtime; });
  const auto calls = launch_calls(trace);
  const bool captured =
      std::ranges::any_of(calls, [](const LaunchCall& call) { return call.what == LaunchOutcome::captured; });
  if (!asked)
    return {
        .evidence =
            "the trace has no device events, but it speaks of a GPU; it shows what the host did (below), but "
            "not what the device waited for",
        .would_change =
            "recording with ProfilerActivity.CUDA as well; if all of it ran on the CPU, with an "
            "empty CUDA_VISIBLE_DEVICES, so that the trace lists no GPU"};
  if (calls.empty())
    return {.evidence =
                "the trace has calls of a GPU's runtime, but none that starts a kernel, and no device events",
            .would_change = "recording steps that use the device"};
  return {
      .evidence = fmt::format("the trace has {} launches, but no kernel of them: {}",
                              count_text(static_cast<std::int64_t>(calls.size())),
                              captured ? "they were captured into a graph, or the profiler lost what the "
                                         "device did"
                                       : "the profiler lost what the device did"),
      .would_change =
          "a recording in which the profiler sees the device: without another profiler beside it, and as a "
          "user whom the GPU's driver lets profile"};
}

std::map<std::int64_t, DeviceWork> device_work(const Trace& trace, const std::vector<bool>& inside) {
  std::map<std::int64_t, DeviceWork> devices;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const Event& event = trace.events[id];
    if (!on_device(event.kind) || (!inside.empty() && !inside[id])) continue;
    DeviceWork& device = devices[event.device];
    device.end = std::max(device.end, event.end());
    device.work.push_back(id);
  }
  for (auto& [number, device] : devices) {
    std::ranges::stable_sort(device.work, {}, [&](EventId id) { return trace.events[id].ts; });
    device.begin = trace.events[device.work.front()].ts;
  }
  return devices;
}

}  // namespace harness::trace
