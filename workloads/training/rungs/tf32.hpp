// TF32 has the range of FP32 and the 10 bits of precision of FP16. Tensors stay FP32; only the factors of a
// product are rounded on their way into the tensor cores, and sums are FP32's.
//
// When it does not matter: on GeForce cards and the A10G, whose tensor cores have FP32's rate in TF32 by
// their data sheets; on devices before Ampere, which have no TF32, and on the CPU, where the row is skipped.
// It changes the arithmetic, so it is a branch that no other rung stands on.
#pragma once

#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step tf32_step(const OwnRecord& own) {
  auto step = rung_step(own, cuda_semantics("TensorFloat-32 (TF32) on Ampere (and later) devices"));
  step.tolerance = harness::Tolerance{.relative = 5e-2, .why = "TF32 keeps 10 bits of each factor"};
  return step;
}

}  // namespace workloads::training
