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

Trial prepare(Setup& setup, const Point& point) {
  return gpt::trial(setup, training::one_left_out(Input::text, point));
}

}  // namespace

extern constexpr Step step = checked(training::leave_one_out_step<Input::text>({
    .id = "gpt/leave_one_out",
    .claim = "A change to the GPT brings something in the best form, and something alone.",
    .prepare = prepare,
    .row_seconds = 30,
    .tolerance = gpt::other_order,
}));

}  // namespace workloads::gpt_leave_one_out
