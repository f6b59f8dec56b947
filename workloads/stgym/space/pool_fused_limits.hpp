// What the kernels of stgym/fused_pooling can hold. No LibTorch, no CUDA.
#pragma once

#include <cstdint>

namespace workloads::stgym {

/// At most so many clusters: a row of S lies in an array of this length.
constexpr std::int64_t most_clusters = 32;
/// On a device: at most so many features, which a warp holds in registers.
constexpr std::int64_t most_device_features = 256;

}  // namespace workloads::stgym
