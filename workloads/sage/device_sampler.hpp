// The samples of neighbour_sampler.hpp, drawn on a device that has the whole graph; and rows of features that
// it gathers by itself: all are in its memory, or it reads them over the link, the hottest ones excepted.
#pragma once

#include "workloads/sage/csr_graph.hpp"
#include "workloads/sage/sage_switches.hpp"

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

/// Their numbers; of equal ones the first.
at::Tensor hottest(const Neighbours& graph);

class DeviceRows {
 public:
  /// Copies what the form wants on the device, and waits for it; pins the rest.
  DeviceRows(const Graph& graph, const Switches& switches, at::Device device);

  /// `nodes` lie on the device.
  at::Tensor operator()(const at::Tensor& nodes) const;

 private:
  at::Tensor table_;         // of all nodes: on the device, or pinned
  at::Tensor hot_, places_;  // on the device; undefined: no row is
};

}  // namespace workloads::sage
