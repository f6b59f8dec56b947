// The machine's NUMA nodes, memory on one of them, and a thread that stays on one. By system calls, since
// libnuma is seldom installed.
#pragma once

#include "harness/setup.hpp"

#include "microbench/cpu/threads.hpp"

#include <climits>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <linux/mempolicy.h>
#include <memory>
#include <sched.h>
#include <span>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace microbench {

/// "0-3,8" -> 0, 1, 2, 3, 8. Nothing behind the first thing that is no number.
inline std::vector<int> read_list(std::string_view text) {
  std::vector<int> all;
  const auto* at = text.data();
  const auto* end = at + text.size();
  for (;;) {
    int first = 0;
    const auto [behind, error] = std::from_chars(at, end, first);
    if (error != std::errc()) return all;
    int last = first;
    at = behind;
    if (at != end && *at == '-') at = std::from_chars(at + 1, end, last).ptr;
    for (int i = first; i <= last; ++i) all.push_back(i);
    if (at == end || *at != ',') return all;
    ++at;
  }
}

/// A node and those of its CPUs that this process may use.
struct NumaNode {
  int number = 0;
  cpu_set_t cpus{};
};

/// The nodes that have both memory and CPUs to use; `folder` is /sys/devices/system/node.
inline std::vector<NumaNode> numa_nodes(const std::filesystem::path& folder) {
  const auto numbers_in = [&](const std::string& file) {
    std::ifstream in(folder / file);
    std::string line;
    std::getline(in, line);
    return read_list(line);
  };
  const auto allowed = affinity();
  std::vector<NumaNode> nodes;
  for (const int number : numbers_in("has_memory")) {
    NumaNode node{.number = number};
    CPU_ZERO(&node.cpus);
    for (const int cpu : numbers_in("node" + std::to_string(number) + "/cpulist"))
      if (cpu < CPU_SETSIZE && CPU_ISSET(cpu, &allowed)) CPU_SET(cpu, &node.cpus);
    if (CPU_COUNT(&node.cpus) > 0) nodes.push_back(node);
  }
  return nodes;
}

/// Owns pages that lie on one node, every one of them written. Throws Skip where the system does not let a
/// process choose (containers often forbid it).
class NodeMemory {
 public:
  NodeMemory(std::size_t size, int node) : bytes_(map(size), Unmap{size}) {
    constexpr std::size_t word = sizeof(unsigned long) * CHAR_BIT;
    std::array<unsigned long, 16> nodes{};
    if (static_cast<std::size_t>(node) >= nodes.size() * word) throw harness::Skip("too many NUMA nodes");
    nodes[static_cast<std::size_t>(node) / word] |= 1UL << (static_cast<std::size_t>(node) % word);
    if (syscall(SYS_mbind, bytes_.get(), size, MPOL_BIND, nodes.data(), nodes.size() * word, 0U) != 0)
      throw harness::Skip("memory cannot be put on a NUMA node: " + std::generic_category().message(errno));
    std::memset(bytes_.get(), 0, size);
  }
  std::span<std::byte> bytes() const { return {bytes_.get(), bytes_.get_deleter().size}; }

 private:
  struct Unmap {
    std::size_t size = 0;
    void operator()(std::byte* bytes) const noexcept { munmap(bytes, size); }
  };
  static std::byte* map(std::size_t size) {
    void* raw = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mapping memory");
    return static_cast<std::byte*>(raw);
  }
  std::unique_ptr<std::byte, Unmap> bytes_;
};

/// Puts the calling thread on CPUs, and in the end back where it came from.
class StayOn {
 public:
  StayOn() : before_(affinity()) {}
  StayOn(const StayOn&) = delete;
  StayOn& operator=(const StayOn&) = delete;
  ~StayOn() { sched_setaffinity(0, sizeof before_, &before_); }
  static void cpus(const cpu_set_t& mask) {
    if (sched_setaffinity(0, sizeof mask, &mask) != 0)
      throw std::system_error(errno, std::generic_category(), "moving a thread to its CPUs");
  }

 private:
  cpu_set_t before_;
};

}  // namespace microbench
