// The NUMA nodes of the machine, without libnuma: two system calls and a folder of /sys.
#pragma once

#include "harness/machine/system_files.hpp"

#include <cstddef>
#include <sched.h>
#include <span>
#include <string_view>
#include <vector>

namespace prices {

struct Node {
  int id = 0;
  std::vector<int> cpus;
  double free_bytes = 0;  // with those of files that nobody has read for long; 0 where it is not known
};

/// "0-3,8" -> 0, 1, 2, 3, 8; what cannot be read ends the list.
std::vector<int> parse_cpus(std::string_view text);

/// The nodes that have processors; empty where the machine does not say.
std::vector<Node> read_nodes(const harness::SystemFiles& files);

/// The calling thread runs on the node's processors while it lives.
class RunOn {
 public:
  /// Throws std::system_error where the process may use none of them.
  explicit RunOn(const Node& node);
  RunOn(const RunOn&) = delete;
  RunOn& operator=(const RunOn&) = delete;
  ~RunOn();

 private:
  cpu_set_t before_{};
};

/// Pages of one node, all of them written once.
class NodeMemory {
 public:
  /// Throws std::system_error where the node has not that much.
  NodeMemory(int node, std::size_t size);
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;
  ~NodeMemory();
  std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace prices
