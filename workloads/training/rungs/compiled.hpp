// The record of a compiled training step. Each model's file has its own lesson: what the compiler joins
// differs.
#pragma once

#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step compiled_step(const OwnRecord& own) {
  auto step = rung_step(own, tuning_guide("Fuse operations"));
  step.claim_ids = "fuse-compile";
  step.tolerance = other_order_of(own);
  step.package_seconds = 100;
  return step;
}

}  // namespace workloads::training
