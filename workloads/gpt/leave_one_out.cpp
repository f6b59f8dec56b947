// What each kept change brings at the two ends of the ladder of the GPT: taken from the best form, and alone
// in naive.
//
// Question: Does a change that brings something low on the ladder still bring it in the best form?
//
// A rung is measured against the rungs below it, so its row depends on the order of the rungs.
// `fused_optimizer` and `foreach_clip` both save passes over the same parameters: the second of them finds
// them in the cache. `from:best` compares the best form without the change to the best form; `from:naive`
// compares naive to naive with it.
//
// When it does not matter: where changes have nothing in common. Then all three figures of a change agree in
// seconds, though not in percent.
//
// `tuneproof run 'gpt/*' --leave-one-out` measures the ladder and these rows, and prints them side by side.
// A row times a training step on batches of 16 pieces of 64 characters.

#include "workloads/training/leave_one_out.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_leave_one_out {
namespace {

using namespace harness;
using training::Input;

constexpr Axis axes[] = {training::switch_axis(Input::text), training::from_axis};

Trial prepare(Setup& setup, const Point& point) {
  return gpt::trial(setup, training::one_left_out(Input::text, point));
}

}  // namespace

extern constexpr Step step = checked({
    .id = "gpt/leave_one_out",
    .claim = "A change to the GPT brings something in the best form, and something alone.",
    .source = {.title = "PyTorch Performance Tuning Guide",
               .url = "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
               .where = "the order of its advice; the question is ours"},
    .runs = Runs::session,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = training::other_order,
    .row_seconds = 30,
    .full_only = true,
});

}  // namespace workloads::gpt_leave_one_out
