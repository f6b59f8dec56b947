// Measures one row: both sets made, same answer shown, slots calibrated, units taken until the verdict
// stands. Over any clock; all units lie in this process (`in-process`) until rounds are processes of their
// own.
#pragma once

#include "harness/measure/same_answer.hpp"
#include "harness/measure/schedule.hpp"
#include "harness/measure/slot.hpp"
#include "harness/record/row.hpp"
#include "harness/stats/verdict.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// What the caller decides about a row.
struct Plan {
  Rule rule;
  Tolerance tolerance;
  std::uint64_t seed = 0;
  /// Called after each unit with the units taken and the units of the next look; empty: not called.
  std::function<void(int done, int of)> progress = {};
  /// True once time is up: the unit in flight is the last. Empty: never.
  std::function<bool()> out_of_time = {};
};

/// Takes the slots of one row on two prepared sets.
template <Clock C>
class Measurer {
 public:
  Measurer(C& clock, const std::array<Trial, 2>& sets, const Plan& plan)
      : clock_(clock), sets_(sets), plan_(plan), random_(row_seed(plan.seed, "units")) {
    result_.timer = sets[0].timer;
    result_.bytes_moved = sets[0].bytes_moved;
  }

  /// The whole sequence. Throws Disagreement before anything was timed, and whatever a form throws.
  Measurement run() {
    for (const auto& set : sets_) check_same_answer(set, plan_.tolerance, [&] { clock_.drain(); });
    for (const auto& set : sets_) set.clear();
    calibrate_slots();
    for (const auto& set : sets_) set.clear();
    begin_ = std::chrono::steady_clock::now();
    take_units();
    if (sets_[0].figures) result_.figures = sets_[0].figures();
    return std::move(result_);
  }

 private:
  SlotTimes time(const SlotPlan& slot, std::int64_t iterations) {
    const auto& set = sets_[slot.set];
    const auto& run = slot.form == Form::naive ? set.naive : set.optimized;
    const auto before = [&] {
      if (set.before_slot) set.before_slot(slot.form);
    };
    const auto warm_up = [&] { set.warm_up ? set.warm_up(slot.form) : run(); };
    return time_slot(clock_, SlotBody{before, warm_up, run, iterations, set.whole_slot});
  }

  /// The slower form decides; both forms then run equally often in a slot.
  void calibrate_slots() {
    const auto needed = [&](Form form) {
      return calibrate([&](std::int64_t iterations) {
        const auto times = time({form, 0}, iterations);
        return slot_value(times.runs, clock_.resolution(), sets_[0].whole_slot) *
               static_cast<double>(iterations);
      });
    };
    const auto naive = needed(Form::naive);
    const auto optimized = needed(Form::optimized);
    result_.iterations = std::min(naive, optimized);
  }

  void take_units() {
    std::size_t look = 0;
    const auto& looks = plan_.rule.looks;
    for (int unit = 0; look < looks.size(); ++unit) {
      result_.log_ratios.push_back(take_unit(unit));
      if (plan_.progress) plan_.progress(unit + 1, looks[look]);
      if (unit + 1 == looks[look]) {
        if (judge(result_.log_ratios, plan_.rule).verdict != Verdict::inconclusive) return;
        ++look;
      }
      if (plan_.out_of_time && plan_.out_of_time()) return;
    }
  }

  /// The mean of the two quads' d = (ln B1 + ln B2 - ln A1 - ln A2) / 2.
  double take_unit(int unit) {
    const auto quads = plan_unit(random_);
    double sum = 0;
    for (int q = 0; q < 2; ++q)
      for (int s = 0; s < 4; ++s) {
        const auto& slot = quads[static_cast<std::size_t>(q)][static_cast<std::size_t>(s)];
        const auto sample = take_slot(slot, unit, q, s);
        sum += (slot.form == Form::optimized ? 0.5 : -0.5) * std::log(sample.seconds);
      }
    return sum / 2;
  }

  Sample take_slot(const SlotPlan& slot, int unit, int quad, int position) {
    const auto now = std::chrono::steady_clock::now();
    const auto times = time(slot, result_.iterations);
    const Sample sample{.unit = unit,
                        .quad = quad,
                        .slot = position,
                        .form = slot.form,
                        .set = static_cast<int>(slot.set),
                        .seconds = slot_value(times.runs, clock_.resolution(), sets_[slot.set].whole_slot),
                        .cpu_seconds = times.cpu,
                        .start = std::chrono::duration<double>(now - begin_).count()};
    if (!(sample.seconds > 0) || !std::isfinite(sample.seconds))
      throw std::runtime_error("the clock gave a slot of " + std::to_string(sample.seconds) + " s");
    result_.samples.push_back(sample);
    return sample;
  }

  C& clock_;
  const std::array<Trial, 2>& sets_;
  const Plan& plan_;
  Random random_;
  Measurement result_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace harness
