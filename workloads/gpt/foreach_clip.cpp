// Measure and scale all gradients together when you clip them.
//
// Question: Clipping takes a norm of each of 52 gradients and scales each of them. What do 104 operators
// cost beside the step?
//
// An operator over a list of tensors is called once; on a device it also needs few kernels. The arithmetic
// is the same.
//
// When it does not matter: on a CPU, where the operator over a list goes through it tensor by tensor and
// saves only the calls.
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against those rungs and this change.

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_foreach_clip {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return gpt::trial(setup, &training::Switches::foreach_clip);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "gpt/foreach_clip",
    .claim = "Clipping with operators over all gradients shortens a training step of the GPT.",
    .source = {.title = "PyTorch, torch.nn.utils.clip_grad_norm_",
               .url = "https://docs.pytorch.org/docs/stable/generated/torch.nn.utils.clip_grad_norm_.html",
               .where = "foreach"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = gpt::other_order,
    .row_seconds = 30,
    .full_only = true,
});

}  // namespace workloads::gpt_foreach_clip
