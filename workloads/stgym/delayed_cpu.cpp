// Keep predictions on the device until the metric needs them.
//
// Question: The source went from 21 to 19 s an epoch. What does leaving the scores where they are save on a
// CPU?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// Evaluation collects every batch's labels and scores. Moving them to the host at once makes the host wait
// for that batch's forward pass, and the device then waits for the host to queue the next one. Collected on
// the device, they are joined there and copied once.
//
// When it does not matter: on the CPU, where nothing moves; where a pass has few batches, or a batch so large
// that the wait is lost in it. The scores of all batches then lie in device memory together.
//
// A row times a validation pass, or an epoch that ends with one (`unit`): the first published version against
// the same with this change.
//
// Answer: Nothing on a CPU: nothing moves there, and no wait is saved. The source's 21 -> 19 s is also
// within what single runs scatter there.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_delayed_cpu {

using namespace harness;

/// The lowest rung: what lies below it is the naive form, so there is nothing else to be held against.
constexpr Axis axes[] = {stgym::unit_axis(stgym::eval_and_epoch, stgym::only_eval)};

constexpr PublishedFigure published[] = {
    {.name = "Self CPU", .unit = "s", .before = 54.5, .after = 47.1, .where = stgym::post_profile},
    {.name = "Self CUDA", .unit = "s", .before = 10.9, .after = 10.9, .where = stgym::post_profile},
};

extern constexpr Step step = checked({
    .id = "stgym/delayed_cpu",
    .claim =
        "Keeping labels and scores on the device until the metric needs them shortens a validation pass.",
    .claim_ids = "xfer-delayed-cpu",
    .source = stgym::post("step 1 (commit 54afd04)"),
    .runs = Runs::session,
    .axes = axes,
    .prepare = stgym::rung<&stgym::Switches::delayed_cpu>,
    .expectation = {.outcome = Outcome::helps,
                    .published = "21 -> 19 s/epoch (A30)",
                    .on_cpu = Outcome::no_effect},
    .published_profile = published,
    .cuda_tolerance = stgym::on_cuda,
    .row_seconds = 10,
    .other_costs = stgym::epoch_costs,
    .suite = Suite::quick,
});

}  // namespace workloads::stgym_delayed_cpu
