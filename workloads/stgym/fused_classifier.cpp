// Take a node through the whole classifier, to its loss and back, in one kernel each way.
//
// Question: 20, 64, 32, 39: layers so narrow that a node's numbers fit into registers. As operators they take
// 18 launches. What are those worth on your device?
//
// Three products, three ReLUs, a log-softmax and a mean forward; backward the mask, two products and a sum of
// each layer. Every operator reads and writes [N, width] to do little arithmetic with it: 370 MB a step at
// 72,000 nodes, where labels, the clusters and the gradient by them are 18 MB. LibTorch's nll_loss adds up
// [N] numbers in a single block, too. The kernel keeps all weights in shared memory, takes 16 nodes at a time
// through every layer, and in the backward pass computes the layers again instead of reading them; each block
// adds up its part of the weights' gradients.
//
// When it does not matter: wide layers, whose products a library does better; more than 4 layers, 4,800
// parameters or 160 numbers of a node do not fit and go the way of the rung below. On the host, where nothing
// is launched, the row is skipped.
//
// Promise: the same numbers to a tolerance; FP32 throughout, added up in another order.

#include "workloads/stgym/measure/trial.hpp"

namespace workloads::stgym_fused_classifier {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  if (!setup.device.is_cuda()) throw Skip("the kernel is for a device: the host launches nothing");
  return stgym::rung_trial(setup, point, &stgym::Switches::fused_classifier);
}

}  // namespace

extern constexpr Step step = checked(stgym::our_step({
    .id = "stgym/fused_classifier",
    .claim = "One kernel each way for the classifier and its loss shortens a training step.",
    .source = {.title = "CUDA C++ Best Practices Guide",
               .url = "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/",
               .where = "memory optimizations; the kernel is ours"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
}));

}  // namespace workloads::stgym_fused_classifier
