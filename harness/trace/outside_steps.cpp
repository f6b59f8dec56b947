#include "harness/trace/outside_steps.hpp"

#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace harness::trace {
namespace {

/// The run's mean step is longer by this factor, or nothing is said.
constexpr double clearly_longer = 1.3;
/// One long step may be an accident of the machine's.
constexpr std::int64_t least_long_steps = 2;
/// Of steps that a recording is advised to have; the first and the last of them are not judged.
constexpr std::int64_t most_steps = 200;
constexpr std::int64_t edges = 2;

/// The share of the time that the long steps take beyond a judged one; 0 where they do not explain why the
/// mean step is longer: all steps may have become slower.
double share_outside(const Pace& pace, double judged_s) {
  const double longer_s = pace.seconds - static_cast<double>(pace.steps) * judged_s;
  const double outside_s = pace.long_seconds - static_cast<double>(pace.long_steps) * judged_s;
  const bool clear = pace.seconds >= clearly_longer * static_cast<double>(pace.steps) * judged_s;
  const bool few = pace.long_steps >= least_long_steps && 2 * pace.long_steps <= pace.steps;
  return clear && few && outside_s > majority * longer_s ? outside_s / pace.seconds : 0;
}

}  // namespace

std::string outside_text(const Diagnosis& diagnosis) {
  const auto& pace = diagnosis.program.pace;
  if (!pace || diagnosis.judged_steps == 0) return "";
  const double judged_s = diagnosis.shares.window_us / 1e6 / static_cast<double>(diagnosis.judged_steps);
  const double outside = judged_s > 0 ? share_outside(*pace, judged_s) : 0;
  if (outside <= 0) return "";
  auto text =
      fmt::format("{} of the run's time lies outside of steps like these (evaluation, rollout, checkpoint)",
                  share_text(outside));
  if (pace->apart + edges <= most_steps)
    text += fmt::format("; `tuneproof watch --steps {}` records them", pace->apart + edges);
  return text;
}

std::string beside_device_text(const Evidence& evidence) {
  constexpr double twice = 2;
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = 0;
  for (const auto& event : evidence.trace.events) {
    if (event.kind != Kind::cpu_op && event.kind != Kind::user_annotation && event.kind != Kind::runtime)
      continue;
    begin = std::min(begin, event.ts);
    end = std::max(end, event.end());
  }
  const double recorded_us = end > begin ? static_cast<double>(end - begin) / 1e3 : 0;
  if (recorded_us < twice * evidence.window_us()) return "";
  return fmt::format(
      "; the host was recorded for {}: what it did before and after the device's work is not judged",
      us_text(recorded_us));
}

}  // namespace harness::trace
