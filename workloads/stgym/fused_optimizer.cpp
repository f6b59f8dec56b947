// Take Adam's step in one operator.
//
// Question: Adam with 120 operators, or one. What share of a step with 2,000 features is Adam?
//
// LibTorch's C++ Adam goes through the parameters one by one, with about ten operators each: 12 parameters,
// 120 operators and passes over memory. The fused operator takes all of them at once and goes over each value
// once: it reads value, gradient and the two moments, and writes value and moments.
//
// When it does not matter: where the rest of the step is long. The model has 280,000 parameters, 1 MB each
// for values, gradients and moments; the features of a batch have hundreds.
//
// Promise: the same numbers to a tolerance; the formula is Adam's, rounded in other places.

#include "workloads/stgym/measure/trial.hpp"

namespace workloads::stgym_fused_optimizer {
namespace {

using namespace harness;

constexpr Tolerance other_rounding{
    .relative = 1e-4,
    .why = "the fused operator rounds in other places, and training carries the difference on"};

Trial prepare(Setup& setup, const Point& point) {
  return stgym::rung_trial(setup, point, &stgym::Switches::fused_optimizer);
}

}  // namespace

extern constexpr Step step = checked(stgym::our_step({
    .id = "stgym/fused_optimizer",
    .claim = "A fused Adam shortens a training step.",
    .source = {.title = "PyTorch, torch.optim.Adam",
               .url = "https://docs.pytorch.org/docs/stable/generated/torch.optim.Adam.html",
               .where = "fused"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = other_rounding,
}));

}  // namespace workloads::stgym_fused_optimizer
