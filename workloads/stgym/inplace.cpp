// Let activations overwrite their input.
//
// Question: In-place activations save an allocation and memory. Do they save time?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// An in-place ReLU or SELU reads and writes as many bytes as one that does not; it saves the allocation of
// its output, which a caching allocator gives for next to nothing, and the memory.
//
// When it does not matter: for time, nearly always. It matters for memory, and where allocation is slow, as
// large blocks from the host's allocator are.
//
// A row times a training step, or an epoch (`unit`): all earlier changes without this one, against all
// earlier changes with it, or the first published version against all of them (`against`).
//
// Answer: Hardly: they read and write the same bytes, and a caching allocator gives memory for next to
// nothing. The H200 here (commit 8d18999) could not tell the difference, -0.3 %. They save memory.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_inplace {

using namespace harness;

extern constexpr Step step = checked(stgym::published_step({
    .id = "stgym/inplace",
    .claim = "In-place activations shorten a training step.",
    .claim_ids = "fuse-inplace-act",
    .source = stgym::post("what did not work, 4"),
    .prepare = stgym::rung<&stgym::Switches::inplace>,
    .expectation = {.outcome = Outcome::no_effect,
                    .published = "no major improvement (A30)",
                    .about = "against:below"},
    .tolerance =
        {.relative = 1e-6,
         .why = "in place SELU's derivative comes from its result: a layer after it may round otherwise"},
}));

}  // namespace workloads::stgym_inplace
