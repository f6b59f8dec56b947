// Lessons on timing: both forms are the same work, and what is judged is what two timers say of it.
#pragma once

#include "harness/core/step.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness::inline core {

/// The name of the figure that such a lesson is judged by (Statistic::figure): naive is the wrong timer's.
inline constexpr std::string_view timer_reading = "what the timer says";

/// What two timers say of the same work, in `unit`.
inline Figure reading_of(double wrong, double right, std::string unit) {
  return {std::string(timer_reading), std::move(unit), wrong, right};
}

/// True of the figures of such a lesson.
inline bool compares_timers(const std::vector<Figure>& figures) {
  return !figures.empty() && figures.front().name == timer_reading;
}

}  // namespace harness::inline core
