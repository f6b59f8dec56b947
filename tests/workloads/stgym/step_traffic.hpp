// What one step queues on a device: nodes of its CUDA graph, and the bytes that LibTorch's operators go over.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace tests {

/// Nodes of the graph of what `work` queues, captured and never run. Each is a launch where it is not
/// captured.
std::size_t captured_nodes(const std::function<void()>& work);

struct OperatorTraffic {
  int calls = 0;
  double bytes = 0;
  int crossings = 0;  // calls with tensors of the host and of a device, as a copy between them has
};

/// Bytes of the inputs and of the outputs of each operator that `work` calls, by its name; views, which move
/// nothing, and what only calls other operators are left out. Kernels of our own are not in it.
std::map<std::string, OperatorTraffic> operator_traffic(const std::function<void()>& work);

}  // namespace tests
