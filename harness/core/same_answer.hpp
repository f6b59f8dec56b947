// Same answer first: nothing is timed before both forms have shown that they compute the same.
#pragma once

#include "harness/core/step.hpp"

namespace harness::inline core {

/// The two forms disagree; the row is `failed` and never timed.
class Disagreement : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Disagreement, naming the first place and by how much, unless the answers agree within the
/// tolerance. An empty answer and numbers that are not finite never agree.
void require_same(const Answer& naive, const Answer& optimized, const Tolerance& tolerance);
/// True where require_same would not throw.
bool is_same(const Answer& a, const Answer& b, const Tolerance& tolerance);

/// What the form computes from a cleared start. `drain` waits for the device.
template <class Drain>
Answer answer_of(const Trial& trial, Form form, const Drain& drain) {
  trial.clear();
  drain();
  if (trial.before_slot) trial.before_slot(form);
  for (int i = 0; i < trial.answer_runs; ++i) (form == Form::naive ? trial.naive : trial.optimized)();
  drain();
  return trial.answer(form);
}

/// Runs each form from a cleared start and compares what they computed.
template <class Drain>
void check_same_answer(const Trial& trial, const Tolerance& tolerance, const Drain& drain) {
  const auto naive = answer_of(trial, Form::naive, drain);
  require_same(naive, answer_of(trial, Form::optimized, drain), tolerance);
}

/// How often the naive form of a lesson in correctness was wrong.
struct WrongAnswers {
  int tries = 0;
  int naive = 0;
};
Figure figure_of(const WrongAnswers& wrong);
/// True of the figures of such a lesson where the naive form was never wrong: here the mistake did not show.
bool mistake_hidden(const std::vector<Figure>& figures);

/// Tries a lesson in correctness ten times against its truth. Throws Disagreement where the optimized form is
/// wrong even once.
template <class Drain>
void count_wrong(const Trial& trial, const Tolerance& tolerance, const Drain& drain, WrongAnswers& wrong) {
  constexpr int tries = 10;
  for (int i = 0; i < tries; ++i) {
    const auto truth = trial.truth();
    wrong.naive += is_same(truth, answer_of(trial, Form::naive, drain), tolerance) ? 0 : 1;
    require_same(truth, answer_of(trial, Form::optimized, drain), tolerance);
    ++wrong.tries;
  }
}

}  // namespace harness::inline core
