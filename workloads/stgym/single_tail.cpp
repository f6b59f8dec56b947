// Do not compute the same thing twice.
//
// Question: Half of the pooling layer was computed twice. What share of a whole step is that?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// The second half of the pooling layer stood twice in the file, one copy below the other, and the second
// overwrote what the first had computed. Nothing was wrong, so nothing showed but the time: a sparse product
// and the index tensors of the features, once more in every forward pass.
//
// When it does not matter: where the doubled part is small beside the rest, such as the products with 2,000
// features.
//
// A row times a training step, or an epoch (`unit`): all earlier changes without this one, against all
// earlier changes with it, or the first published version against all of them (`against`). The published
// figures are those of several unnamed changes together.
//
// Answer: As much as the second half of the layer has beside the products with 2,000 features. On the H200
// here (commit 8d18999) 15 % of a step, 87.6 -> 74.2 ms.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_single_tail {

using namespace harness;

extern constexpr Step step = checked(stgym::published_step({
    .id = "stgym/single_tail",
    .claim = "Running the tail of the pooling layer once instead of twice shortens a training step.",
    .claim_ids = "kern-stgym-dedup",
    .source = stgym::post("not named in the post; commit 3d25642"),
    .prepare = stgym::rung<&stgym::Switches::single_tail>,
    .expectation = {.outcome = Outcome::helps,
                    .published = "part of CUDA 3.9 -> 3.0 s (A30)",
                    .on_cpu = Outcome::helps,
                    .about = "against:below"},
    .published_profile = stgym::unnamed_changes,
}));

}  // namespace workloads::stgym_single_tail
