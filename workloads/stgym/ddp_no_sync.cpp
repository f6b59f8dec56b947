// Exchange gradients once for a batch of graphs that is trained in parts, instead of behind each part.
//
// Question: STGym trains a batch of 32 graphs in two parts. How much of the step does the first part's
// exchange take?
//
// Gradients of the parts add up on each rank, and the mean over ranks of a sum is the sum of the means: it is
// the same whether it is taken behind each part or once behind the last. PyTorch's `no_sync()` leaves the
// exchange out of a backward pass; see parallel/no_sync for 2 to 8 parts.
//
// When it does not matter: if the exchange hides behind the backward pass anyway. What it costs: nothing but
// care, since gradients that are not yet exchanged differ between the ranks.
//
// The row is a training step of the published model with every kept change on 32 graphs, a share of them on
// each rank. Each share is trained in two parts. In the naive form both exchange gradients, in the optimized
// form the second does.

#include "workloads/stgym/ranks_trial.hpp"

namespace workloads::stgym_ddp_no_sync {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return stgym::ranks_trial(setup, training::ddp_no_sync);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "stgym/ddp_no_sync",
    .claim = "Gradients that are exchanged once for two parts of a batch shorten STGym's training step.",
    .source = training::ddp_api("no_sync"),
    .runs = Runs::session,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = stgym::other_shares,
    .cuda_tolerance = stgym::on_cuda,
    .row_seconds = 30,
    .full_only = true,
});

}  // namespace workloads::stgym_ddp_no_sync
