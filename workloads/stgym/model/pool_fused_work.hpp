// What the kernels of stgym/fused_pooling do, for whoever counts work.
#pragma once

#include "harness/cuda/launch_work.hpp"

#include "workloads/stgym/model/pool_fused_kernels.hpp"

namespace workloads::stgym {

/// Of each node so many numbers are read or written, and so many more in all; each of its features meets each
/// cluster so often.
inline void say_pool(const PoolSizes& size, double of_node, double more, double products) {
  const auto nodes = static_cast<double>(size.nodes);
  const auto clusters = static_cast<double>(size.clusters);
  const auto features = static_cast<double>(size.features);
  harness::next_launch_does(sizeof(float) * (nodes * of_node + more),
                            nodes * clusters * (products * features + clusters));
}

inline void say_pool_forward(const PoolSizes& size, int parts) {
  const auto clusters = static_cast<double>(size.clusters);
  const auto features = static_cast<double>(size.features);
  say_pool(size, 2 * clusters + features + 2,
           parts * static_cast<double>(size.graphs) * clusters * (clusters + features), 1);
}

inline void say_pool_backward(const PoolSizes& size) {
  const auto clusters = static_cast<double>(size.clusters);
  say_pool(size, 5 * clusters + 2 * static_cast<double>(size.features) + 1, 0, 2);
}

}  // namespace workloads::stgym
