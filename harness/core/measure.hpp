// Measures one row inside one process: first a rehearsal (same answer shown, slots calibrated), later one
// round after the other, each in a process of its own. Over any clock.
#pragma once

#include "harness/core/disturbances.hpp"
#include "harness/core/judged_figure.hpp"
#include "harness/core/measurement.hpp"
#include "harness/core/same_answer.hpp"
#include "harness/core/slot.hpp"
#include "harness/core/slot_order.hpp"

namespace harness::inline core {

/// Takes the slots of one row on two prepared sets.
template <Clock C>
class Measurer {
 public:
  Measurer(C& clock, const std::array<Trial, 2>& sets) : clock_(clock), sets_(sets) {
    result_.timer = sets[0].timer;
    result_.statistic = sets[0].statistic;
    result_.bytes_moved = sets[0].bytes_moved;
  }

  /// Compares the forms' answers on both sets, finds how many runs make a slot, and asks for the figures.
  /// Throws Disagreement before anything was timed, and whatever a form throws.
  Measurement rehearse(const Tolerance& tolerance) {
    check_answers(tolerance);
    for (const auto& set : sets_) set.clear();
    calibrate_slots();
    if (sets_[0].figures)
      for (auto& figure : sets_[0].figures()) result_.figures.push_back(std::move(figure));
    if (result_.statistic == Statistic::figure) result_.figures.push_back(time_of_a_run());
    return std::move(result_);
  }

  /// The slots of one round and their log ratio. Throws whatever a form throws.
  Measurement take_round(const RoundPlan& plan) {
    for (const auto& set : sets_) set.clear();
    result_.iterations = plan.iterations;
    result_.optimized_iterations = plan.optimized_iterations;
    faults_ = plan.faults;
    Random random(plan.seed);
    result_.pairs = plan.pairs;
    if (plan.run_first) run_each_form();
    if (result_.statistic == Statistic::figure) {
      auto judged = judge_figure(sets_, plan.round);
      result_.samples = std::move(judged.samples);
      result_.log_ratios = {judged.log_ratio};
      return std::move(result_);
    }
    std::vector<double> ratios;
    for (int pair = 0; pair < plan.pairs; ++pair) ratios.push_back(take_steady_pair(plan, pair, random));
    result_.log_ratios.push_back(median(std::move(ratios)));
    return std::move(result_);
  }

 private:
  static const std::function<void()>& form_of(const Trial& set, Form form) {
    return form == Form::naive ? set.naive : set.optimized;
  }

  static void warm_up(const Trial& set, Form form) { set.warm_up ? set.warm_up(form) : form_of(set, form)(); }

  void run_each_form() {
    for (const auto& set : sets_)
      for (const auto form : {Form::naive, Form::optimized}) {
        if (set.before_slot) set.before_slot(form);
        warm_up(set, form);
      }
    clock_.drain();
  }

  SlotTimes time(const SlotPlan& slot, std::int64_t iterations) {
    const auto& set = sets_[slot.set];
    const auto& run = form_of(set, slot.form);
    const auto before = [&] {
      if (set.before_slot) set.before_slot(slot.form);
    };
    const auto warm = [&] { warm_up(set, slot.form); };
    SlotBody body{before, warm, run, iterations, set.whole_slot};
    body.faults = faults_;
    return time_slot(clock_, body);
  }

  void check_answers(const Tolerance& tolerance) {
    const auto drain = [&] { clock_.drain(); };
    WrongAnswers wrong;
    for (const auto& set : sets_)
      if (set.truth)
        count_wrong(set, tolerance, drain, wrong);
      else
        check_same_answer(set, tolerance, drain);
    if (wrong.tries > 0) result_.figures.push_back(figure_of(wrong));
  }

  double seconds_of(const SlotTimes& times) const {
    return slot_value(times.runs, clock_.resolution(), sets_[0].whole_slot);
  }
  double value_of(const SlotTimes& times) const {
    return sets_[0].statistic == Statistic::tail ? tail_value(times.runs) : seconds_of(times);
  }

  /// Beside a judged figure: once, on one set, and without an interval.
  Figure time_of_a_run() {
    const auto of = [&](Form form) { return seconds_of(time({form, 0}, result_.runs_of(form))); };
    const auto naive = of(Form::naive);
    return {"time of a run", "s", naive, of(Form::optimized)};
  }

  /// The slower form decides, and both run equally often in a slot; a pipelined form has its own number.
  void calibrate_slots() {
    const auto needed = [&](Form form) {
      const auto seconds = [&](std::int64_t iterations) {
        return seconds_of(time({form, 0}, iterations)) * static_cast<double>(iterations);
      };
      return calibrate(seconds, sets_[0].slot_multiple);
    };
    const auto naive = needed(Form::naive);
    const auto optimized = needed(Form::optimized);
    if (sets_[0].whole_slot) {
      result_.iterations = naive;
      result_.optimized_iterations = optimized;
      return;
    }
    result_.iterations = std::min(naive, optimized);
    if (sets_[0].statistic == Statistic::tail) result_.iterations = std::max(result_.iterations, tail_runs);
    if (const auto most = sets_[0].most_runs; most > 0)
      result_.iterations = std::min(result_.iterations, most);
  }

  /// A pair in which the driver lowered the device's clocks is taken again, twice at most: never until clean.
  double take_steady_pair(const RoundPlan& plan, int pair, Random& random) {
    constexpr int most_tries = 3;
    for (int tries = 1;; ++tries) {
      const auto begin = result_.samples.size();
      const auto ratio = take_pair(plan, pair, random);
      const auto taken = std::span(result_.samples).subspan(begin);
      const auto lowered = [](const Sample& sample) { return must_discard(sample.clock_events); };
      if (tries == most_tries || std::ranges::none_of(taken, lowered)) return ratio;
      result_.samples.resize(begin);
      ++result_.discarded;
      plan.clocks.rest();
    }
  }

  /// The mean of the two quads' d = (ln B1 + ln B2 - ln A1 - ln A2) / 2.
  double take_pair(const RoundPlan& plan, int pair, Random& random) {
    const auto quads = plan_pair(random);
    double sum = 0;
    for (int q = 0; q < 2; ++q)
      for (int s = 0; s < 4; ++s) {
        const auto& slot = quads[static_cast<std::size_t>(q)][static_cast<std::size_t>(s)];
        const auto events_before = clock_events(plan.clocks);
        auto sample = take_slot(slot, plan.begin);
        sample.clock_events = events_before | clock_events(plan.clocks);
        sample.round = plan.round;
        sample.pair = pair;
        sample.quad = q;
        sample.slot = s;
        result_.samples.push_back(sample);
        sum += (slot.form == Form::optimized ? 0.5 : -0.5) * std::log(sample.seconds);
      }
    return sum / 2;
  }

  static std::uint64_t clock_events(const ClockWatch& clocks) {
    return clocks.events ? clocks.events().value_or(0) : 0;
  }

  Sample take_slot(const SlotPlan& slot, std::chrono::steady_clock::time_point begin) {
    const auto now = std::chrono::steady_clock::now();
    const auto times = time(slot, result_.runs_of(slot.form));
    const Sample sample{.form = slot.form,
                        .set = static_cast<int>(slot.set),
                        .seconds = value_of(times),
                        .cpu_seconds = times.cpu,
                        .start = std::chrono::duration<double>(now - begin).count(),
                        .faults = times.faults};
    if (!(sample.seconds > 0) || !std::isfinite(sample.seconds))
      throw std::runtime_error("the clock gave a slot of " + std::to_string(sample.seconds) + " s");
    return sample;
  }

  C& clock_;
  const std::array<Trial, 2>& sets_;
  Measurement result_;
  std::function<std::int64_t()> faults_;
};

}  // namespace harness::inline core
