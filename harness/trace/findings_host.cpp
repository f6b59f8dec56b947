// Findings about the host: synchronizations, launches, allocations, the optimizer's loop over parameters.
#include "harness/support/quantity.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
  auto op = evidence.nesting.parent[call];
  for (int outward = 0; outward < 4 && op != no_event; ++outward, op = evidence.nesting.parent[op]) {
    const auto reason = reason_of(evidence.trace.name(evidence.trace.events[op]));
    if (reason != Reason::other) return reason;
  }
  return Reason::other;
}

std::optional<Finding> synchronizations(const Evidence& evidence, Reason reason) {
  constexpr std::array<std::string_view, 3> ids{"item_sync", "dynamic_shape_sync", "sync_calls"};
  constexpr std::array<std::string_view, 3> what{
      "a value was read back", "an operator needed the size of its output", "the host synchronized"};
  const auto at = static_cast<std::size_t>(reason);
  const auto blames =
      blame(evidence, Use::wait_sync, [&](EventId call) { return reason_of_call(evidence, call) == reason; });
  const double us = total_us(blames);
  return saving(evidence, ids[at], us,
                fmt::format("the device had nothing queued for {} after {}{}; read back less often, or later",
                            evidence.each(us), what[at], most_by(blames)));
}

std::optional<Finding> exposed_copies_out(const Evidence& evidence) {
  const double us = evidence.shares[Use::copy_out];
  return saving(evidence, "exposed_copies_out", us,
                fmt::format("copies to the host take {} in which nothing else runs{}", evidence.each(us),
                            most_by(blame(evidence, Use::copy_out))));
}

std::optional<Finding> launch_gaps(const Evidence& evidence) {
  const auto blames = blame(evidence, Use::wait_launch);
  const double between = evidence.shares[Use::between];
  const double us = evidence.shares[Use::wait_launch] + between;
  const auto gaps =
      between > 0 ? fmt::format(", and for {} between pieces that were launched", evidence.each(between))
                  : std::string();
  return saving(evidence, "launch_gaps", us,
                fmt::format("the device idles for {} until the host has launched the next piece{}{}",
                            evidence.each(evidence.shares[Use::wait_launch]), gaps, most_by(blames)));
}

/// The host ranges of that sort inside the spans.
std::vector<Span> ranges_of(const Evidence& evidence, std::string_view beginning) {
  std::vector<Span> ranges;
  for (EventId id = 0; id < evidence.trace.events.size(); ++id) {
    const auto& event = evidence.trace.events[id];
    const bool host = event.kind == Kind::user_annotation || event.kind == Kind::cpu_op;
    if (host && evidence.judged[id] && evidence.trace.name(event).starts_with(beginning))
      ranges.push_back({event.ts, event.end()});
  }
  std::ranges::sort(ranges, {}, &Span::begin);
  return ranges;
}

struct Launched {
  std::int64_t kernels = 0;
  std::int64_t multi_tensor = 0;
  double us = 0;
};

/// Kernels whose launch lies in one of the ranges.
Launched launched_in(const Evidence& evidence, const std::vector<Span>& ranges) {
  Launched launched;
  for (EventId id = 0; id < evidence.trace.events.size(); ++id) {
    const auto& event = evidence.trace.events[id];
    if (event.kind != Kind::kernel && event.kind != Kind::memset) continue;
    const auto call = evidence.nesting.launch[id];
    if (call == no_event) continue;
    const auto when = evidence.trace.events[call].ts;
    const auto after = std::ranges::upper_bound(ranges, when, {}, &Span::begin);
    if (after == ranges.begin() || when >= std::prev(after)->end) continue;
    ++launched.kernels;
    launched.us += static_cast<double>(event.dur) / 1e3;
    if (has_any(evidence.trace.name(event), {"multi_tensor_apply", "fused"})) ++launched.multi_tensor;
  }
  return launched;
}

/// "Hundreds of kernels": a fused or foreach optimizer needs a few dozen at most.
constexpr double per_tensor_kernels = 100;

std::optional<Finding> optimizer_per_tensor(const Evidence& evidence) {
  const auto ranges = ranges_of(evidence, "Optimizer.step#");
  if (ranges.empty()) return std::nullopt;
  const auto launched = launched_in(evidence, ranges);
  const double each = static_cast<double>(launched.kernels) / static_cast<double>(ranges.size());
  if (each < per_tensor_kernels || launched.multi_tensor * 2 > launched.kernels) return std::nullopt;
  const auto spent = shares(evidence.timeline, ranges);
  const double us =
      std::max(spent[Use::wait_launch] + spent[Use::between] + spent[Use::wait_sync], launched.us);
  return saving(evidence, "optimizer_per_tensor", us,
                fmt::format("the optimizer launches {:.0f} kernels a call, parameter by parameter; use its "
                            "foreach or fused form, which launches a few",
                            each));
}

std::optional<Finding> optimizer_share(const Evidence& evidence) {
  const auto ranges = ranges_of(evidence, "Optimizer.step#");
  const auto idle = shares(evidence.timeline, ranges);
  const double us = launched_in(evidence, ranges).us + idle[Use::wait_launch] + idle[Use::between];
  const double of_time = share(us, evidence.window_us());
  if (of_time < heavy_optimizer) return std::nullopt;
  auto finding =
      remark("optimizer_share", of_time >= 2 * heavy_optimizer ? Severity::high : Severity::medium,
             fmt::format("the optimizer's kernels and the gaps between them take {}; use its fused form, "
                         "step after several batches, or take larger ones",
                         evidence.each(us)));
  finding.saves_us = us;
  return finding;
}

std::optional<Finding> zero_grad_fills(const Evidence& evidence) {
  const auto ranges = ranges_of(evidence, "Optimizer.zero_grad#");
  if (ranges.empty()) return std::nullopt;
  const auto launched = launched_in(evidence, ranges);
  const double each = static_cast<double>(launched.kernels) / static_cast<double>(ranges.size());
  if (each < 1) return std::nullopt;
  const auto spent = shares(evidence.timeline, ranges);
  const double us = std::max(launched.us, spent[Use::wait_launch] + spent[Use::between]);
  return saving(evidence, "zero_grad_fills", us,
                fmt::format("zero_grad fills gradients with {:.0f} kernels a call, and the backward pass "
                            "adds to them; set them to none instead",
                            each));
}

std::optional<Finding> device_allocations(const Evidence& evidence) {
  double us = 0;
  std::int64_t count = 0;
  for (EventId id = 0; id < evidence.trace.events.size(); ++id) {
    const auto& event = evidence.trace.events[id];
    if (event.kind != Kind::runtime || !evidence.judged[id]) continue;
    const auto name = evidence.trace.name(event);
    if (!has_any(name, {"cudaMalloc", "cudaFree", "cudaHostAlloc", "cudaHostRegister", "hipMalloc", "hipFree",
                        "hipHostMalloc"}))
      continue;
    us += static_cast<double>(event.dur) / 1e3;
    ++count;
  }
  return saving(evidence, "device_allocations", us,
                fmt::format("{} calls allocate or free device or pinned memory and take {}; a caching "
                            "allocator would make them once",
                            count_text(count), evidence.each(us)));
}

}  // namespace

Found host_findings(const Evidence& evidence) {
  return {synchronizations(evidence, Reason::item),
          synchronizations(evidence, Reason::dynamic_shape),
          synchronizations(evidence, Reason::other),
          exposed_copies_out(evidence),
          launch_gaps(evidence),
          optimizer_per_tensor(evidence),
          optimizer_share(evidence),
          zero_grad_fills(evidence),
          device_allocations(evidence)};
}

}  // namespace harness::trace
