// Train each batch of graphs on several ranks, a share on each, instead of on one rank alone.
//
// Question: Two ranks share a batch of 16 graphs and exchange 1.1 MiB of gradients. Which part of a twofold
// speed-up is left of STGym's training step?
//
// Each rank holds the whole model and reads its own graphs of the batch. Its backward pass gives their
// gradients; DistributedDataParallel exchanges them in buckets, and all ranks take the same step with the
// mean. Here one bucket holds them all, so that the exchange begins when the backward pass is over.
//
// Graphs differ in size, and shares of as many graphs hold more or fewer nodes. The loss of the labels is a
// mean over nodes and the pooling's a mean over graphs. A plain mean over the ranks would give nodes of small
// shares more weight than one process does; each rank therefore scales both parts by its own part of the
// batch's nodes and graphs, and the losses are one process's. A rank with more nodes also keeps the others
// waiting (parallel/balance).
//
// When it hurts: if a step is so short that the exchange and its messages outweigh the arithmetic that the
// other ranks take over.
//
// The row is a training step of the published model with every kept change on 16 graphs, a share of them on
// each rank. In the naive form rank 0 trains the batch on its own processors while the others wait; in the
// optimized form all ranks train. `--ranks` says how many.

#include "workloads/stgym/ranks_trial.hpp"

namespace workloads::stgym_ddp {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) { return stgym::ranks_trial(setup, training::ddp); }

}  // namespace

extern constexpr Step step = checked({
    .id = "stgym/ddp",
    .claim = "Ranks that share each batch of graphs take STGym's training step sooner than one rank alone.",
    .source = training::ddp_notes("Internal Design"),
    .runs = Runs::session,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = stgym::other_shares,
    .cuda_tolerance = stgym::on_cuda,
    .row_seconds = 20,
    .full_only = true,
});

}  // namespace workloads::stgym_ddp
