// Turn autograd's anomaly detection off.
//
// Question: Anomaly detection asks about each gradient. Why did the author see no difference, and do you?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// Anomaly detection looks for NaN in every gradient that flows, and asks the host about each: a pass over it,
// a sum of what was found, a copy of one byte and a wait. It also notes where each node was made, which in
// Python costs a few lines of the interpreter's stack; that part is left out here (modes.hpp).
//
// When it does not matter: where other waits stop the host just as often, as in the layer that it was tried
// on. On a CPU nothing waits, and the passes over the gradients remain as its price.
//
// A row times a training step, or an epoch (`unit`): all earlier changes without this one, against all
// earlier changes with it, or the first published version against all of them (`against`).
//
// Answer: Because his loop waited in each step anyway, so that further waits cost nothing new. On the H200
// here (commit 8d18999), where other waits remain too, it was 8 % of a step: 79 copies to the host less. On
// a CPU the passes over the gradients are its price.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_no_anomaly {

using namespace harness;

extern constexpr Step step = checked(stgym::published_step({
    .id = "stgym/no_anomaly",
    .claim = "Turning anomaly detection off shortens a training step.",
    .claim_ids = "grad-anomaly",
    .source = stgym::post("what did not work, 1 (commit 4e6adb6)"),
    .prepare = stgym::rung<&stgym::Switches::no_anomaly>,
    .expectation =
        {.outcome = Outcome::no_effect,
         .published = "no significant improvement (A30; in Python, where the check also keeps stack traces)",
         .about = "against:below"},
}));

}  // namespace workloads::stgym_no_anomaly
