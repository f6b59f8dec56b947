// Let torch's compiler write the whole training step: forward, backward and Adam as one function.
//
// Question: The best form below has kernels written by hand and Adam as one operator. Can a compiler that
// sees the whole step still shorten it, or does it miss what the hand knew?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// The compiler fuses what the hand left apart: sums over edges with the ReLU after them, both softmaxes with
// the losses and their gradients, and Adam's step with the last sum of each gradient, without a call between
// any two of them. What it does not write are the dense products: it calls the library's mm, where the best
// form has oneDNN's, and the hand's kernel for the pooling layer is gone. `explain --assembly stgym/compiled`
// shows its loops. The published factors, above two, are against the plain operators of Python.
//
// What it costs: a minute or two of compiling, once for each machine, which the row names; batches differ in
// size, so the package is one for any size. When it does not matter: where products take the time.
//
// Promise: the same numbers to a tolerance, since fused sums have another order. It is a branch: it needs
// Python with torch and a C++ compiler, without which the row is skipped. On a device the form keeps its
// batches joined, while the form below reads rows in place.
//
// The function in Python: workloads/stgym/train/compiled_classifier.cpp
//
// Answer: Some of both: it joins sums, softmaxes, losses and Adam's step without calls in between, and it
// loses the hand's kernel for the pooling layer and oneDNN's products. The row says which is more. The
// published factors are against plain operators, with warm-up and evaluation inside their timing. Since that
// was mended (2026) the publisher speaks of about 2, and a user measured a loss (2.4 -> 2.9 ms).

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_compiled {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  stgym::require_change(setup, &stgym::Switches::compiled);
  auto forms = stgym::rung_forms(point, &stgym::Switches::compiled);
  forms.optimized.rows_in_place = false;
  return stgym::forms_trial(setup, forms);
}

extern constexpr Step step = checked(stgym::our_step({
    .id = "stgym/compiled",
    .claim = "A training step that torch's compiler has compiled is shorter than the best form by hand.",
    .claim_ids = "fuse-compile",
    .source = {.title = "PyTorch Geometric, Compiled Graph Neural Networks",
               .url = "https://pytorch-geometric.readthedocs.io/en/latest/advanced/compile.html",
               .where = "Basic Usage, the table at its end"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends,
                    .published = "2.2 to 2.8x for GCN, SAGE and GIN, against Python's operators"},
    .tolerance = {.relative = 1e-4,
                  .why = "fused sums have another order, and training carries the difference on"},
}));

}  // namespace workloads::stgym_compiled
