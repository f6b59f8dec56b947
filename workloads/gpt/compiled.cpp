// Let torch's compiler write the whole training step: forward, backward and AdamW as one function.
//
// Question: The form below has every kept change of the checklists. What can a compiler still save that sees
// the whole step of the GPT?
//
// Between the products of this GPT lie softmaxes, norms, GELUs and sums that each read and write everything
// once more. The compiler joins them to a few loops, forward and backward, and AdamW's step over 52
// parameters as well.
//
// What it costs: minutes of compiling, once for each machine and each shape, which the row names. When it
// does not matter: where products take nearly all of the time: the compiler calls the same library for them.
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against the compiled step. `explain --assembly gpt/compiled` shows what the compiler wrote. It is a branch:
// it needs Python with torch and a C++ compiler, without which the row is skipped.
//
// The function in Python: workloads/gpt/python.cpp, workloads/training/compiled_step.cpp

#include "workloads/training/rungs/compiled.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_compiled {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return gpt::trial(setup, &training::Switches::compiled);
}

}  // namespace

extern constexpr Step step = checked(training::compiled_step({
    .id = "gpt/compiled",
    .claim = "A training step of the GPT that torch's compiler has compiled is shorter.",
    .prepare = prepare,
    .row_seconds = 30,
    .tolerance = gpt::other_order,
}));

}  // namespace workloads::gpt_compiled
