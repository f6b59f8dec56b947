// Rows that judge a figure in the place of a time. In lessons on timing both forms are the same work, and the
// figure is what two timers say of it. In lessons on memory it is the result: it stands for the time of a
// run. A count has no noise to average, so a round asks for it once on each set, and all rounds say the same.
#pragma once

#include "harness/core/measurement.hpp"
#include "harness/core/step.hpp"

#include <cmath>
#include <utility>

namespace harness::inline core {

/// The name of the figure that such a lesson is judged by (Statistic::figure): naive is the wrong timer's.
inline constexpr std::string_view timer_reading = "what the timer says";

/// The sides of such a lesson: where a step has these, less is "too little" and more "too much".
inline constexpr Sides timer_sides{"wrong timer", "right timer"};

/// What two timers say of the same work, in `unit`.
inline Figure reading_of(double wrong, double right, std::string unit) {
  return {std::string(timer_reading), std::move(unit), wrong, right};
}

/// True of the figures of such a lesson.
inline bool compares_timers(const std::vector<Figure>& figures) {
  return !figures.empty() && figures.front().name == timer_reading;
}

/// What the judged figure of one round says: a sample of each form on each set, and ln(optimized / naive).
struct JudgedFigure {
  std::vector<Sample> samples;
  double log_ratio = 0;
};

/// Asks each set for its figures; the first one is judged, less is better. Throws std::runtime_error where it
/// is not above 0 for both forms.
inline JudgedFigure judge_figure(const std::array<Trial, 2>& sets, int round) {
  JudgedFigure judged;
  for (int set = 0; set < 2; ++set) {
    const auto figure = sets[static_cast<std::size_t>(set)].figures().at(0);
    for (const auto form : {Form::naive, Form::optimized}) {
      const auto value = form == Form::naive ? figure.naive : figure.optimized;
      if (!(value > 0) || !std::isfinite(value))
        throw std::runtime_error("cannot form a ratio of '" + figure.name + "': one form has " +
                                 std::to_string(value));
      judged.samples.push_back({.round = round,
                                .slot = 2 * set + (form == Form::naive ? 0 : 1),
                                .form = form,
                                .set = set,
                                .seconds = value});
    }
    judged.log_ratio += std::log(figure.optimized / figure.naive) / 2;
  }
  return judged;
}

}  // namespace harness::inline core
