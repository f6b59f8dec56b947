// Findings about launches: a device that waits for them, and kernels that are as short as they are.
#include "harness/support/quantity.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::trace {
namespace {

std::optional<Finding> launch_gaps(const Evidence& evidence) {
  const auto blames = blame(evidence, Use::wait_launch);
  const double between = evidence.shares[Use::between];
  const double us = evidence.shares[Use::wait_launch] + between;
  std::string gaps;
  if (us > between)
    gaps = fmt::format("for {} until the host has launched the next piece", evidence.each(us - between));
  if (between > 0)
    gaps += fmt::format("{}for {} between pieces{}", gaps.empty() ? "" : ", and ", evidence.each(between),
                        evidence.shares.launches.all > 0 ? " that were launched" : "");
  return saving(evidence, "launch_gaps", us, fmt::format("the device idles {}{}", gaps, most_by(blames)));
}

std::optional<Finding> first_use(const Evidence& evidence) {
  const auto blames = blame(evidence, Use::start_up);
  const double us = total_us(blames);
  if (share(us, evidence.window_us()) < worth_reporting) return std::nullopt;
  return remark(
      "first_use", Severity::info,
      fmt::format("the device idles for {} while calls load kernels' code or set libraries up, as on "
                  "their first use{}; warm up before you record: the verdict leaves this time out",
                  evidence.each(us), most_by(blames)));
}

/// "Hundreds of tiny pointwise kernels per step" (S4); half of them decides that they are the rule.
constexpr double hundreds = 100;
constexpr double mostly_tiny = 0.5;

std::optional<Finding> tiny_kernels(const Evidence& evidence) {
  const auto& kernels = evidence.kernels;
  const double per_step = evidence.per_step(static_cast<double>(kernels.count));
  if (per_step < hundreds || kernels.tiny_share < mostly_tiny) return std::nullopt;
  double us = 0;
  for (const auto& same_length : kernels.durations)
    if (same_length.below_us > 0 && same_length.below_us <= tiny_us) us += same_length.us;
  auto message = fmt::format("{} kernels{}, {} of them below 10 us (median {}){}",
                             count_text(std::llround(per_step)), evidence.stepped ? " a step" : "",
                             share_text(kernels.tiny_share), us_text(kernels.median_us),
                             evidence.shares.launches.all > 0 ? ": a launch costs as much as they do" : "");
  auto finding = saving(evidence, "tiny_kernels", us, message);
  return finding ? finding : remark("tiny_kernels", Severity::info, std::move(message));
}

}  // namespace

Found launch_findings(const Evidence& evidence) {
  return {launch_gaps(evidence), first_use(evidence), tiny_kernels(evidence)};
}

}  // namespace harness::trace
