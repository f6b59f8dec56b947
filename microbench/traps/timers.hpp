// A trap: one piece of work, timed wrong and timed right. What is judged is what the two timers say.
#pragma once

#include "harness/core/judged_figure.hpp"
#include "harness/core/median.hpp"
#include "harness/core/slot.hpp"
#include "harness/core/step.hpp"
#include "harness/cuda/check.hpp"

namespace microbench {

/// Each does the work, as often as its method asks for, and gives back what it then believes.
struct Timers {
  std::function<double()> wrong;
  std::function<double()> right;
  std::string unit = "s";
};

/// The median of several tries: a lesson must not rest on one sample, except for the lesson that says so.
template <class Read>
double typical(const Read& read, int tries = 5) {
  std::vector<double> readings;
  for (int i = 0; i < tries; ++i) readings.push_back(read());
  return harness::median(std::move(readings));
}

/// Both forms are the work with its timer around it; a round asks both timers once on each set.
inline harness::Trial timer_trial(Timers timers, std::function<void()> clear,
                                  std::function<harness::Answer(harness::Form)> answer) {
  harness::Trial trial;
  trial.naive = [wrong = timers.wrong] { wrong(); };
  trial.optimized = [right = timers.right] { right(); };
  trial.clear = std::move(clear);
  trial.answer = std::move(answer);
  trial.figures = [timers = std::move(timers)]() -> std::vector<harness::Figure> {
    const double wrong = timers.wrong();
    return {harness::reading_of(wrong, timers.right(), timers.unit)};
  };
  trial.statistic = harness::Statistic::figure;
  return trial;
}

/// Until the device has nothing left to do; nothing on the host.
inline void finish(const harness::Device& device) {
  if (device.is_cuda()) harness::check(cudaDeviceSynchronize());
}

inline constexpr std::string_view timers_differ = "no figure; the row compares two timers of the same work";

}  // namespace microbench
