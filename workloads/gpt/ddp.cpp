// Train each batch on several ranks, a shard on each, instead of on one rank alone.
//
// Question: Two ranks share a batch of 16 pieces of text and exchange 3 MiB of gradients. Which part of a
// twofold speed-up is left of a training step of the GPT?
//
// Lesson: workloads/training/rungs/ddp.hpp
//
// 3 MiB go once around the ring in each step. More or longer pieces of text make a step longer, and these
// bytes the smaller part of it.
//
// The row is a training step on a batch of 16 pieces of 64 characters with the kept rungs but
// `transform_ahead`, so that a rank reads no other samples than its own, and without clipping.

#include "workloads/training/rungs/ddp.hpp"

#include "workloads/gpt/rung.hpp"
#include "workloads/training/ranks_trial.hpp"

namespace workloads::gpt_ddp {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return training::ranks_trial(setup, gpt::job, training::ddp, gpt::other_order);
}

}  // namespace

extern constexpr Step step = checked(training::ddp_step({
    .id = "gpt/ddp",
    .claim = "Ranks that share each batch take a training step of the GPT sooner than one rank alone.",
    .prepare = prepare,
    .row_seconds = 30,
    .tolerance = gpt::other_order,
}));

}  // namespace workloads::gpt_ddp
