// Keep a scalar on the device that is used on the device.
//
// Question: One `.item()` less in each step: the author saw 3.0 -> 3.0 s. What must change in the layer
// before it shows?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// The layer computes 1 / sqrt(K) on the device, reads it back with .item() and hands the number to a kernel
// that fills a vector with it. Reading it stops the host until the device has caught up. Dividing by the
// tensor instead never leaves the device.
//
// When it does not matter: while other operators of the same layer wait for the device anyway, one wait less
// changes nothing. That is what was published, and why it is worth measuring.
//
// A row times a training step, or an epoch (`unit`): all earlier changes without this one, against all
// earlier changes with it, or the first published version against all of them (`against`). Other waits are
// left in both sides; later rungs here remove most of them.
//
// Answer: The other waits must go: while one operator of the layer makes the host wait, one wait less
// changes nothing. On the H200 here (commit 8d18999) 164 of 165 copies to the host remained, and the row was
// not decided, -0.3 %.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_no_item {

using namespace harness;

constexpr PublishedFigure published[] = {
    {.name = "Self CPU", .unit = "s", .before = 5.6, .after = 5.6, .where = stgym::post_profile},
    {.name = "Self CUDA", .unit = "s", .before = 3.0, .after = 3.0, .where = stgym::post_profile},
};

extern constexpr Step step = checked(stgym::published_step({
    .id = "stgym/no_item",
    .claim = "Keeping 1 / sqrt(K) on the device instead of reading it with .item() shortens a training step.",
    .claim_ids = "sync-item-stgym",
    .source = stgym::post("step 3 (commit 1398257)"),
    .prepare = stgym::rung<&stgym::Switches::no_item>,
    .expectation = {.outcome = Outcome::no_effect,
                    .published = "CUDA 3.0 -> 3.0 s (A30)",
                    .about = "against:below"},
    .published_profile = published,
}));

}  // namespace workloads::stgym_no_item
