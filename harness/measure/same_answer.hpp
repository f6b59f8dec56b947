// Same answer first: nothing is timed before both forms have shown that they compute the same.
#pragma once

#include "harness/step.hpp"

#include <stdexcept>
#include <string>

namespace harness {

/// The two forms disagree; the row is `failed` and never timed.
class Disagreement : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Disagreement, naming the first place and by how much, unless the answers agree within the
/// tolerance. An empty answer and numbers that are not finite never agree.
void require_same(const Answer& naive, const Answer& optimized, const Tolerance& tolerance);

/// Runs each form from a cleared start and compares what they computed. `drain` waits for the device.
template <class Drain>
void check_same_answer(const Trial& trial, const Tolerance& tolerance, const Drain& drain) {
  const auto answer_of = [&](Form form) {
    trial.clear();
    drain();
    if (trial.before_slot) trial.before_slot(form);
    for (int i = 0; i < trial.answer_runs; ++i) (form == Form::naive ? trial.naive : trial.optimized)();
    drain();
    return trial.answer(form);
  };
  const auto naive = answer_of(Form::naive);
  require_same(naive, answer_of(Form::optimized), tolerance);
}

}  // namespace harness
