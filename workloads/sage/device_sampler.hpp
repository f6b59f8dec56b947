// The samples of neighbour_sampler.hpp, drawn on a device that has the whole graph.
#pragma once

#include "workloads/sage/csr_graph.hpp"

#include <span>

namespace workloads::sage {

/// A Sampled on the device.
struct DeviceSampled {
  at::Tensor nodes, sources, offsets;
  std::vector<std::int64_t> nodes_by_hop, edges_by_hop;
};

class DeviceSampler {
 public:
  /// Copies the graph to the device and waits for it.
  DeviceSampler(const Neighbours& graph, at::Device device);

  /// `seeds` lie on the device. The same sample in the same order as sample() draws on the host. Waits twice
  /// a hop: for the number of its edges, and for that of the nodes that were found.
  DeviceSampled operator()(const at::Tensor& seeds, std::span<const std::int64_t> fan_outs,
                           std::uint64_t seed) const;

 private:
  at::Tensor offsets_, neighbours_;
};

}  // namespace workloads::sage
