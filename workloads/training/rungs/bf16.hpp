// BF16 has the range of FP32 in half the bytes, with 8 bits of precision. Units for products of 16 bits are
// several times as fast where a processor has them. Parameters and the moments of AdamW stay FP32; autocast
// casts each parameter in each step.
//
// What BF16 rounds away forces a wide tolerance on the answer. So both forms also train a few samples in
// FP64, without autocast, and must agree there: only the products' own rounding may differ.
//
// When it hurts: on processors that have no instructions for BF16, and where products are so small that casts
// outweigh them. It changes the arithmetic, so it is a branch that no other rung stands on.
#pragma once

#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step bf16_step(const OwnRecord& own) {
  auto step = rung_step(own, {.title = "PyTorch, Automatic Mixed Precision",
                              .url = "https://docs.pytorch.org/docs/stable/amp.html",
                              .where = "torch.autocast"});
  step.tolerance = own.tolerance;
  return step;
}

}  // namespace workloads::training
