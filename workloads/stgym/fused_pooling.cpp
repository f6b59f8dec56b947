// The pooling layer's softmaxes and sums in one kernel of our own, one pass over h.
//
// Question: All of the pooling layer in one pass over h: how much shorter does a whole step get, on a CPU
// where nothing is launched?
//
// As operators, the layer reads and writes its [N, K] assignment again and again: a softmax, a softmax of the
// softmax, one more for the classifier (the same numbers), S' S graph by graph, S' h graph by graph, squares
// for trace(S' D S), and in the backward pass each of them the other way round. Between operators everything
// goes through memory. The kernel takes a node's logits and its row of h once, keeps both softmaxes in
// registers, and adds the node to its graph's sums; the backward pass is one kernel, too, and makes the first
// softmax again instead of keeping it. Graph sizes are read where they lie, on the device, so a CUDA graph
// can hold the step whatever the sizes are.
//
// When it does not matter: where the products with x take nearly all of a step. More than 32 clusters, or on
// a device more than 256 features of h, go the way of segment_pooling.
//
// Promise: the same numbers to a tolerance; FP32 as before, added up in another order.

#include "workloads/stgym/measure/trial.hpp"

namespace workloads::stgym_fused_pooling {
namespace {

using namespace harness;

constexpr Tolerance other_order{
    .relative = 1e-4,
    .why = "sums over nodes are added up in another order, and training carries the difference on"};

Trial prepare(Setup& setup, const Point& point) {
  return stgym::rung_trial(setup, point, &stgym::Switches::fused_pooling);
}

}  // namespace

extern constexpr Step step = checked(stgym::our_step({
    .id = "stgym/fused_pooling",
    .claim = "One kernel for the pooling layer's softmaxes and sums shortens a training step.",
    .source = {.title = "CUDA C++ Best Practices Guide",
               .url = "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/",
               .where = "memory optimizations; the kernel is ours"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = other_order,
}));

}  // namespace workloads::stgym_fused_pooling
