// Drop conversions of values that are dense already.
//
// Question: `to_dense()` is called on values that are dense already. How much of a step does leaving it out
// save?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// A conversion that has nothing to convert gives its argument back: a call through the dispatcher, no kernel
// and no copy. Leaving such calls out makes code easier to read. Whether it makes it faster is the question
// here.
//
// When it does not matter: this is the case; it is a rung because it was part of the published improvement.
//
// A row times a training step, or an epoch (`unit`): all earlier changes without this one, against all
// earlier changes with it, or the first published version against all of them (`against`). The published
// figures are those of several unnamed changes together.
//
// Answer: Nothing that can be measured: a call that gives its argument back. The published figure is of
// several changes together.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_no_to_dense {

using namespace harness;

extern constexpr Step step = checked(stgym::published_step({
    .id = "stgym/no_to_dense",
    .claim = "Dropping to_dense() on values that are dense already shortens a training step.",
    .claim_ids = "kern-stgym-dedup",
    .source = stgym::post("not named in the post; commit d55cadc"),
    .prepare = stgym::rung<&stgym::Switches::no_to_dense>,
    .expectation = {.outcome = Outcome::depends,
                    .published = "part of CUDA 3.9 -> 3.0 s (A30)",
                    .about = "against:below"},
    .published_profile = stgym::unnamed_changes,
}));

}  // namespace workloads::stgym_no_to_dense
