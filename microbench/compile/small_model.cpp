// Compile the whole training step of a small model: forward, backward and update as one function.
//
// Question: A small transformer spends its step in some hundred short operators. The compiler cannot make the
// matrix products faster. What does it save all the same?
//
// A compiled training step has no operator calls between its kernels: no dispatch, no recording for the
// backward pass, no allocation of what only the next line reads. Norms, activations, residual sums and the
// update of all parameters are fused into a few loops. The products and the attention stay the library's. So
// the smaller the model, the larger the share that can be saved; `explain --assembly compile/small_model`
// shows the loops.
//
// What it costs: the compiler's time, which the row names; `compile/break_even` says when it has paid. A new
// shape is a new package. When it does not matter: for large layers, whose products take the time; and where
// the operators are few and fused already.
//
// A row measures one step of two blocks of width 64 on sequences of 32 positions with plain gradient descent.
// Three steps from the same start give the same loss and parameters. Both sides are called from C++: what
// Python would spend on the eager form is not in it, so torch.compile gains more there than this row shows.
//
// The function in Python: microbench/compile/transformer.cpp
//
// Answer: All that lies between the products: calls, recording for the backward pass, allocations, and
// passes over memory for norms, activations and updates. In a small model that is most of the step; the
// products stay what they were.

#include "microbench/compile/transformer.hpp"
#include "microbench/tip.hpp"

namespace microbench::compile_small_model {

constexpr Axis axes[] = {
    {.name = "batch", .about = "sequences of 32 positions", .values = {4, 32}, .quick = {4}}};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<Transformer>(setup, point["batch"]);
  return {
      .naive = [s] { s->train_eagerly(); },
      .optimized = [s] { s->train_compiled(); },
      .clear = [s] { s->reset(); },
      .answer = [s](Form) { return s->answer(); },
      .answer_runs = 3,
      .before_slot = [s](Form) { s->reset(); },
      .figures = [s]() -> std::vector<Figure> {
        return {{"to compile, once", "s", 0, s->compile_seconds()}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "compile/small_model",
    .claim = "A compiled training step of a small transformer takes less time than its operators one by one.",
    .claim_ids = "fuse-compile",
    .sides = {"one by one", "compiled"},
    .source = {.title = "Why Your PyTorch Training Crawls on a Beefy GPU (And How to Fix It)",
               .url = "https://dev.to/alanwest/"
                      "why-your-pytorch-training-crawls-on-a-beefy-gpu-and-how-to-fix-it-52g8",
               .where = "Step 3, torch.compile"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "1.5 to 3x on transformer-ish nets"},
    .tolerance = {.relative = 1e-4, .why = "fused sums have another order, and three steps carry it on"},
    .cuda_tolerance = {.relative = 1e-3, .why = "fused sums have another order, and three steps carry it on"},
    .package_seconds = 40,
});

}  // namespace microbench::compile_small_model
