// The lists of parameters that the steps on optimizers go through.
#pragma once

#include "harness/core/step.hpp"

#include <cstdint>

namespace microbench {

inline constexpr std::int64_t tensor_counts[] = {100, 1000, 4};
inline constexpr std::int64_t tensor_sizes[] = {1 << 10, 1 << 16, 4 << 20};
inline constexpr harness::Axis parameter_axes[] = {
    {.name = "tensors", .about = "parameters in the list", .values = tensor_counts, .quick = tensor_counts},
    {.name = "numel", .about = "values of each of them", .values = tensor_sizes, .quick = tensor_sizes}};

}  // namespace microbench
