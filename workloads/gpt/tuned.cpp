// Train with settings that a search has found.
//
// Question: The best of forty noisy settings of the GPT was partly lucky. How much of its gain is left when
// it is measured anew?
//
// Lesson: workloads/training/rungs/tuned.hpp
//
// A run of the row trains as many pieces of 64 characters as the larger of the two batches has.

#include "workloads/training/rungs/tuned.hpp"

#include "workloads/gpt/rung.hpp"
#include "workloads/training/knobs.hpp"

namespace workloads::gpt_tuned {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  return training::tuned_trial(setup, point, gpt::job(setup), training::gpt_amount);
}

}  // namespace

extern constexpr Step step = checked(training::tuned_step({
    .id = "gpt/tuned",
    .claim = "Settings that a search has found shorten the training of the GPT.",
    .prepare = prepare,
    .row_seconds = 60,
    .tolerance = {.relative = 5e-2,
                  .why = "the settings may ask for BF16, which keeps 8 bits of each factor"},
}));

}  // namespace workloads::gpt_tuned
