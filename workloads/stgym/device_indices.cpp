// Make index tensors on the device of their input.
//
// Question: 20 -> 2 s an epoch on an A30, by making indices elsewhere. Which share of it do you expect on a
// CPU, and why?
//
// The pooling layer numbers the entries of its sparse matrices. Made on the host, these int64 tensors, one
// number per entry, are larger than the values they index: 4,416 bytes a node in every forward pass, copied
// from pageable memory, and each copy waits for the device. Made on the device they cost a kernel and move
// nothing.
//
// When it does not matter: on the CPU, where the same tensors are made in the same place; for indices of a
// few kilobytes, whose copy is lost among the launches.
//
// A row times a training step, or an epoch (`unit`): the kept rungs below this one against those rungs and
// this change, or the first published version against all of them (`against`). The data lie where the model
// is, as published.

#include "workloads/stgym/measure/trial.hpp"

namespace workloads::stgym_device_indices {
namespace {

using namespace harness;

constexpr PublishedFigure published[] = {
    {.name = "Self CPU", .unit = "s", .before = 50.3, .after = 7.0, .where = stgym::post_profile},
    {.name = "Self CUDA", .unit = "s", .before = 11.9, .after = 3.9, .where = stgym::post_profile},
    {.name = "aten::copy_ calls", .unit = "calls", .before = 8335, .where = stgym::post_profile},
    {.name = "aten::copy_ Self CPU", .unit = "s", .before = 21.6, .where = stgym::post_profile},
    {.name = "aten::copy_ Self CUDA", .unit = "s", .before = 7.0, .where = stgym::post_profile},
    {.name = "Memcpy HtoD calls", .unit = "calls", .before = 1231, .where = stgym::post_profile},
    {.name = "Memcpy HtoD time", .unit = "s", .before = 6.54, .where = stgym::post_profile},
};

Trial prepare(Setup& setup, const Point& point) {
  return stgym::rung_trial(setup, point, &stgym::Switches::device_indices);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "stgym/device_indices",
    .claim = "Making the index tensors of the pooling layer on the device of their input shortens a training "
             "step.",
    .claim_ids = "xfer-stgym-index-build xfer-create-on-device",
    .source = stgym::post("step 2 (commit ac134c6)"),
    .runs = Runs::session,
    .axes = stgym::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "20 -> 2 s/epoch (A30)",
                    .on_cpu = Outcome::no_effect,
                    .about = "against:below"},
    .published_profile = published,
    .cuda_tolerance = stgym::on_cuda,
    .row_seconds = 11,
    .other_costs = stgym::epoch_costs,
});

}  // namespace workloads::stgym_device_indices
