// A hidden layer's bias and ReLU belong to the product, and in the backward pass to one kernel.
//
// Question: Two passes over [N, 128] less in the forward pass, one less in the backward pass. How many
// percent of a step is that on your device, where the products with x take most of it?
//
// Written as operators, a hidden layer multiplies, reads the result again to cut it off at 0, and in the
// backward pass reads the gradient twice: to mask it, and to add it up for the bias. Each pass over [N, 128]
// is 37 MB at 72,000 nodes, during which the device does nothing else. cuBLASLt adds the bias and cuts off
// while the result is still in registers (LibTorch's _addmm_activation asks for it); one kernel of ours masks
// the gradient and adds it up in the same pass.
//
// When it does not matter: where products take all of the time, or where a compiler has fused both already.
// On the host the row is skipped: activations overwrite their input there, which lies in a cache.
//
// Promise: the same numbers to a tolerance; the bias's gradient is added up in another order.

#include "workloads/stgym/measure/trial.hpp"

namespace workloads::stgym_fused_linear {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  if (!setup.device.is_cuda())
    throw Skip("the host has no pass to save: activations overwrite what lies in its cache");
  return stgym::rung_trial(setup, point, &stgym::Switches::fused_linear);
}

}  // namespace

extern constexpr Step step = checked(stgym::our_step({
    .id = "stgym/fused_linear",
    .claim =
        "Leaving bias and ReLU to the product, and masking and adding up in one pass, shortens a training "
        "step.",
    .source = {.title = "NVIDIA cuBLAS documentation",
               .url = "https://docs.nvidia.com/cuda/cublas/",
               .where = "cublasLtEpilogue_t, CUBLASLT_EPILOGUE_RELU_BIAS"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
}));

}  // namespace workloads::stgym_fused_linear
