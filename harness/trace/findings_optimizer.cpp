// Findings about the optimizer on a device: kernels for each parameter, its share of the time, gradients that
// are filled with zeros.
#include "harness/support/quantity.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/thread_calls.hpp"
#include "harness/trace/trace_text.hpp"
#include "harness/trace/window.hpp"

#include <fmt/format.h>

namespace harness::trace {
namespace {

/// The host ranges of that sort inside the spans.
std::vector<Span> ranges_of(const Evidence& evidence, std::string_view beginning) {
  std::vector<Span> ranges;
  for (EventId id = 0; id < evidence.trace.events.size(); ++id) {
    const auto& event = evidence.trace.events[id];
    if (is_range(event.kind) && evidence.judged[id] && evidence.trace.name(event).starts_with(beginning))
      ranges.push_back(event.span());
  }
  std::ranges::sort(ranges, {}, &Span::begin);
  return ranges;
}

struct Launched {
  std::int64_t kernels = 0;
  std::int64_t multi_tensor = 0;
  double us = 0;
  double each = 0;  // kernels in one of the ranges, on average
};

/// Kernels whose launch lies in one of the ranges.
Launched launched_in(const Evidence& evidence, const std::vector<Span>& ranges) {
  Launched launched;
  for (EventId id = 0; id < evidence.trace.events.size(); ++id) {
    const auto& event = evidence.trace.events[id];
    if (event.kind != Kind::kernel && event.kind != Kind::memset) continue;
    const auto call = evidence.trace.nesting.launch[id];
    if (call == no_event) continue;
    if (!within(ranges, evidence.trace.events[call].ts)) continue;
    ++launched.kernels;
    launched.us += static_cast<double>(event.dur) / 1e3;
    if (has_any(evidence.trace.name(event), {"multi_tensor_apply", "fused"})) ++launched.multi_tensor;
  }
  launched.each = share(static_cast<double>(launched.kernels), static_cast<double>(ranges.size()));
  return launched;
}

/// "Hundreds of kernels": a fused or foreach optimizer needs a few dozen at most.
constexpr double per_tensor_kernels = 100;

std::optional<Finding> optimizer_per_tensor(const Evidence& evidence) {
  const auto ranges = ranges_of(evidence, "Optimizer.step#");
  const auto launched = launched_in(evidence, ranges);
  if (launched.each < per_tensor_kernels || launched.multi_tensor * 2 > launched.kernels) return std::nullopt;
  const auto spent = shares(evidence.timeline, ranges);
  const double us =
      std::max(spent[Use::wait_launch] + spent[Use::between] + spent[Use::wait_sync], launched.us);
  return saving(evidence, "optimizer_per_tensor", us,
                fmt::format("the optimizer launches {} kernels a call, parameter by parameter; use its "
                            "foreach or fused form, which launches a few",
                            rounded_text(launched.each)));
}

std::optional<Finding> optimizer_share(const Evidence& evidence) {
  const auto ranges = ranges_of(evidence, "Optimizer.step#");
  const auto idle = shares(evidence.timeline, ranges);
  const double on_host = idle[Use::host_operator] + idle[Use::outside];
  const double us = launched_in(evidence, ranges).us + idle[Use::wait_launch] + idle[Use::between] + on_host;
  const double of_time = share(us, evidence.window_us());
  if (of_time < heavy_optimizer) return std::nullopt;
  return remark(
      "optimizer_share", of_time >= 2 * heavy_optimizer ? Severity::high : Severity::medium,
      2 * on_host > us
          ? fmt::format("the optimizer runs on the host, for which the device idles for {}; keep its state "
                        "on the device, step after several batches, or take larger ones",
                        evidence.each(on_host))
          : fmt::format("the optimizer's kernels and the gaps between them take {}; use its fused form, "
                        "step after several batches, or take larger ones",
                        evidence.each(us)),
      us);
}

std::optional<Finding> zero_grad_fills(const Evidence& evidence) {
  const auto ranges = ranges_of(evidence, "Optimizer.zero_grad#");
  const auto launched = launched_in(evidence, ranges);
  if (launched.each < 1) return std::nullopt;
  const auto spent = shares(evidence.timeline, ranges);
  const double us = std::max(launched.us, spent[Use::wait_launch] + spent[Use::between]);
  return saving(evidence, "zero_grad_fills", us,
                fmt::format("zero_grad fills gradients with {} kernels a call, and the backward pass "
                            "adds to them; set them to none instead",
                            rounded_text(launched.each)));
}

}  // namespace

Found optimizer_findings(const Evidence& evidence) {
  if (optimizer_runs_closures(evidence.trace)) return {zero_grad_fills(evidence)};
  return {optimizer_per_tensor(evidence), optimizer_share(evidence), zero_grad_fills(evidence)};
}

}  // namespace harness::trace
