// A convolution sums over channels. With the channels of a pixel side by side in memory its kernels read runs
// of numbers that they multiply together; in the other layout they are as far apart as an image is large, and
// libraries often reorder them first. Kernels of operators between convolutions keep the layout that they are
// given.
//
// When it does not matter: on a CPU, oneDNN reorders the kernels and images of either layout into blocks of
// its own. Which of its kernels run depends on the number of threads, so measure with as many (`--threads`)
// as you train with. It may hurt where an operator has no kernel for this layout.
#pragma once

#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step channels_last_step(const OwnRecord& own) {
  auto step = rung_step(own, tuning_guide("Use channels_last memory format"));
  step.tolerance = other_order_of(own);
  return step;
}

}  // namespace workloads::training
