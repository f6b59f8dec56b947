// Load batches with five workers.
//
// A loader with workers makes batches ahead of time while the device trains. That pays where making a batch
// is slow and the device would wait for it. Here the data lie on the device already, and making a batch is a
// search for neighbours and a few small kernels. The workers here are threads on the same device.
//
// When it does not matter, or hurts: with data in memory; with few cores, which the workers take from
// training; in short epochs, since each one starts its workers anew. It is a branch: its author took it back.

#include "workloads/steps.hpp"
#include "workloads/stgym/trial.hpp"

namespace workloads {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  return stgym::rung_trial(setup, point, &stgym::Switches::workers_5);
}

}  // namespace

constexpr Step stgym_workers_5{
    .id = "stgym/workers_5",
    .claim = "Five loader workers shorten an epoch of data that are in memory already.",
    .claim_ids = "data-workers-hurt",
    .source = {.title = stgym::post_title,
               .url = stgym::post_url,
               .where = "what did not work, 3 (commit 51647a0)"},
    .runs = Runs::session,
    .axes = stgym::epoch_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::hurts, .published = "CPU time up to 32 s (A30)"},
    .cuda_tolerance = stgym::on_cuda,
    .row_seconds = 60,
};
static_assert(well_formed(stgym_workers_5));

}  // namespace workloads
