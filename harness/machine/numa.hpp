// The NUMA nodes of the machine, memory on one of them, and a thread that stays on one. By system calls,
// since libnuma is seldom installed.
#pragma once

#include "harness/machine/host.hpp"

#include <cstddef>
#include <memory>
#include <sched.h>
#include <span>
#include <string_view>

namespace harness::inline machine {

/// A node and those of its processors that may be used.
struct NumaNode {
  int id = 0;
  std::vector<int> cpus;
  double free_bytes = 0;  // with those of files that nobody has read for long; 0 where it is not known
};

/// "0-3,8" -> 0, 1, 2, 3, 8; what cannot be read ends the list.
std::vector<int> parse_cpus(std::string_view text);

/// The processors that the calling thread may run on. Throws std::system_error.
std::vector<int> cpus_of_this_thread();
/// Moves the calling thread. Throws std::system_error where it may run on none of them.
void move_to(std::span<const int> cpus);

/// The nodes that have both memory and some of these processors; empty where the machine does not say.
std::vector<NumaNode> numa_nodes(const SystemFiles& files, std::span<const int> allowed);

/// The node that a PCI device hangs on; none where the machine does not say, or has one node. `bus_id`: as
/// cudaDeviceGetPCIBusId gives it.
std::optional<NumaNode> node_of(const SystemFiles& files, std::string bus_id,
                                std::span<const NumaNode> nodes);

/// Where the calling thread may run when this ends is where it might when it was made.
class StayOn {
 public:
  /// Stays for now.
  StayOn() : before_(cpus_of_this_thread()) {}
  /// Moves to processors of the node.
  explicit StayOn(const NumaNode& node) : StayOn() { move_to(node.cpus); }
  StayOn(const StayOn&) = delete;
  StayOn& operator=(const StayOn&) = delete;
  ~StayOn();

 private:
  std::vector<int> before_;
};

/// Pages of one node, all of them written once.
class NodeMemory {
 public:
  /// Throws Skip where the system does not let a process choose (containers often forbid it), std::bad_alloc
  /// where there is no such memory.
  NodeMemory(int node, std::size_t size);
  std::span<std::byte> bytes() const { return {bytes_.get(), bytes_.get_deleter().size}; }

 private:
  struct Unmap {
    std::size_t size = 0;
    void operator()(std::byte* bytes) const noexcept;
  };
  std::unique_ptr<std::byte, Unmap> bytes_;
};

}  // namespace harness::inline machine
