// Rows of features that a device gathers by itself: all are in its memory, or it reads them over the link,
// the hottest ones excepted.
#pragma once

#include "workloads/sage/csr_graph.hpp"
#include "workloads/sage/sage_switches.hpp"

namespace workloads::sage {

/// The nodes of most neighbours, which samples meet most often: this part of all nodes.
constexpr double hot_part = 0.1;

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
