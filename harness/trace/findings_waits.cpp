// Findings about the host's waits for the device: values read back, synchronizations, copies out, launches
// that block.
#include "harness/support/quantity.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/thread_calls.hpp"
#include "harness/trace/trace_text.hpp"
#include "harness/trace/which_steps.hpp"

#include <fmt/format.h>

#include <set>

namespace harness::trace {
namespace {

enum class Reason { item, dynamic_shape, other };

Reason reason_of(std::string_view op) {
  if (has_any(op, {"aten::item", "aten::_local_scalar_dense", "aten::is_nonzero", "aten::equal"}))
    return Reason::item;
  if (has_any(op, {"nonzero", "masked_select", "unique", "bincount", "repeat_interleave", "aten::index",
                   "coalesce", "sparse"}))
    return Reason::dynamic_shape;
  return Reason::other;
}

/// What an operator around the call says of its reason; the innermost that says something.
Reason reason_of_call(const Evidence& evidence, EventId call) {
  auto op = evidence.trace.nesting.parent[call];
  for (int outward = 0; outward < 4 && op != no_event; ++outward, op = evidence.trace.nesting.parent[op]) {
    const auto reason = reason_of(evidence.trace.name(op));
    if (reason != Reason::other) return reason;
  }
  return Reason::other;
}

std::optional<Finding> synchronizations(const Evidence& evidence, Reason reason, std::string_view id,
                                        std::string_view what) {
  const auto blames =
      blame(evidence, Use::wait_sync, [&](EventId call) { return reason_of_call(evidence, call) == reason; });
  const double us = total_us(blames);
  auto finding =
      saving(evidence, id, us,
             fmt::format("the device had nothing queued for {} after {}{}; {} less often, or later",
                         evidence.each(us), what, most_by(blames),
                         reason == Reason::other ? "wait for it" : "read back"));
  const bool copies = !blames.empty() && has_any(blames.front().name, {"aten::"});
  return copies ? led_by(std::move(finding), {"sync/cpu_in_loop"}) : finding;
}

std::optional<Finding> exposed_copies_out(const Evidence& evidence) {
  const double us = evidence.shares[Use::copy_out];
  return saving(evidence, "exposed_copies_out", us,
                fmt::format("copies to the host take {} in which nothing else runs{}", evidence.each(us),
                            most_by(blame(evidence, Use::copy_out))));
}

/// A launch returns after about 5 us. Kernels that run longer than a short one, and end before it returned,
/// were waited for.
constexpr double nearly_all = 0.9;
constexpr double enough_kernels = 10;

std::optional<Finding> launch_blocking(const Evidence& evidence) {
  double launched = 0;
  double waited_for = 0;
  for (const auto id : evidence.judged_of(Kind::kernel)) {
    const auto& kernel = evidence.trace.events[id];
    const auto call = evidence.trace.nesting.launch[id];
    if (call == no_event || us_of(kernel.dur) < tiny_us) continue;
    ++launched;
    const auto& launch = evidence.trace.events[call];
    if (launch.ts <= kernel.ts && launch.end() >= kernel.end()) ++waited_for;
  }
  if (launched < enough_kernels || waited_for < nearly_all * launched) return std::nullopt;
  const double us = evidence.shares[Use::wait_launch] + evidence.shares[Use::between];
  return mark(evidence, "launch_blocking", us, Severity::medium,
              fmt::format("{} of {} kernels of 10 us or more had ended when their launch returned, as with "
                          "CUDA_LAUNCH_BLOCKING=1: the host never runs ahead, and the device idles for {} "
                          "between kernels; unset it",
                          count_text(static_cast<std::int64_t>(waited_for)),
                          count_text(static_cast<std::int64_t>(launched)), evidence.each(us)),
              us);
}

/// The first read of a value behind each check of gradients for infinity.
std::set<EventId> scaler_reads(const ThreadCalls& calls) {
  std::set<EventId> reads;
  bool checked = false;
  for (const auto id : calls.outer()) {
    const auto name = calls.name(id);
    if (name.starts_with("aten::_amp_foreach_non_finite_check_and_unscale")) checked = true;
    if (!checked || name != "aten::item") continue;
    reads.insert(id);
    checked = false;
  }
  return reads;
}

std::optional<Finding> grad_scaler_sync(const Evidence& evidence, const ThreadCalls& calls) {
  const auto reads = scaler_reads(calls);
  if (reads.empty()) return std::nullopt;
  const double us = total_us(blame(evidence, Use::wait_sync, [&](EventId call) {
    return lies_in(evidence.trace, evidence.trace.nesting.parent[call],
                   [&](EventId op) { return reads.contains(op); });
  }));
  return saving(
      evidence, "grad_scaler_sync", us,
      fmt::format("GradScaler asks the device whether gradients are finite, and nothing is queued for "
                  "{} after that; an optimizer with fused=True decides that on the device, and BF16 needs "
                  "no scaler",
                  evidence.each(us)));
}

}  // namespace

Found wait_findings(const Evidence& evidence, const ThreadCalls& calls) {
  return {synchronizations(evidence, Reason::item, "item_sync", "a value was read back"),
          synchronizations(evidence, Reason::dynamic_shape, "dynamic_shape_sync",
                           "an operator needed the size of its output"),
          synchronizations(evidence, Reason::other, "sync_calls", "the host synchronized"),
          exposed_copies_out(evidence),
          launch_blocking(evidence),
          grad_scaler_sync(evidence, calls)};
}

}  // namespace harness::trace
