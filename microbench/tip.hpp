// What every tip is written with: the step's vocabulary, LibTorch's tensors, the device's memory, and where
// tips come from.
#pragma once

#include "harness/core/checked.hpp"
#include "harness/core/step.hpp"
#include "harness/cuda/memory.hpp"
#include "harness/libtorch/answer.hpp"

#include "microbench/guides.hpp"

#include <ATen/ATen.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>
