#include "harness/trace/device_silence.hpp"

#include "harness/support/quantity.hpp"
#include "harness/trace/accelerators.hpp"
#include "harness/trace/launch_calls.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness::trace {
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

RegimeVerdict no_device(const Trace& trace, const Nesting& nesting) {
  if (const auto other = named_device(trace, nesting); other != "GPU")
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
  const auto calls = launch_calls(trace, nesting);
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

}  // namespace harness::trace
