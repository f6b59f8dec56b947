#pragma once

#include "stand_in/runtime.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

namespace stand_in {

/// A command of a graph, and the nodes that must have ended before it.
struct Node {
  Command command;
  std::function<void()> work;
  std::set<std::size_t> after;
  std::size_t index = 0;
  const std::deque<Node>* nodes = nullptr;  // of its graph
};

/// What a capture noted down. Nodes keep their addresses: these are their handles.
struct Graph {
  std::deque<Node> nodes;

  /// Whether each node is among `ends` or before one of them.
  bool all_lead_to(const std::set<std::size_t>& ends) const;
  /// The nodes in an order that their dependencies allow: as captured, or any, by the seed.
  std::vector<const Node*> ordered(std::optional<std::uint64_t> seed) const;
};

/// A graph made ready to run; one launch of it runs at a time.
struct GraphExec {
  std::vector<Node> nodes;
  std::mutex mutex;
};

}  // namespace stand_in
