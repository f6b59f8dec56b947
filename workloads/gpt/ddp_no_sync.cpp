// Exchange gradients once for a batch that is trained in parts, instead of behind each part.
//
// Question: The GPT trains a batch in two parts, since the whole does not fit. How much of the step does the
// first part's exchange take?
//
// Gradients of the parts add up on each rank, and the mean over ranks of a sum is the sum of the means: it is
// the same whether it is taken behind each part or once behind the last. Two exchanges of 3 MiB become one.
// PyTorch's `no_sync()` leaves the exchange out of a backward pass; see parallel/no_sync for 2 to 8 parts.
//
// When it does not matter: if the exchange hides behind the backward pass anyway. What it costs: nothing but
// care, since gradients that are not yet exchanged differ between the ranks; clip and read them behind the
// last part.
//
// The row is a training step on a batch of 32 pieces of 64 characters, twice the workload's, in two parts on
// each rank, with the kept rungs but `transform_ahead` and without clipping. In the naive form both parts
// exchange gradients, in the optimized form the second does.

#include "workloads/gpt/rung.hpp"
#include "workloads/training/ranks_trial.hpp"

namespace workloads::gpt_ddp_no_sync {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return training::ranks_trial(setup, gpt::job, training::ddp_no_sync);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "gpt/ddp_no_sync",
    .claim = "Gradients that are exchanged once for two parts of a batch shorten a training step of the GPT.",
    .source = training::ddp_api("no_sync"),
    .runs = Runs::session,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = training::other_order,
    .row_seconds = 60,
    .full_only = true,
});

}  // namespace workloads::gpt_ddp_no_sync
