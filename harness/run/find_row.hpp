#pragma once

#include "harness/core/step.hpp"

#include <string_view>

namespace harness::run {

/// A step at a point on a kind of device.
struct StepAt {
  const Step* step = nullptr;
  Point point;
  Device device;
};

/// The row of that name; CUDA rows get the index `cuda_index`. Throws std::out_of_range where no step has it.
StepAt find_row(Steps steps, std::string_view name, int cuda_index);

}  // namespace harness::run
