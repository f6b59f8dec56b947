// What was allocated, and by whom.
#pragma once

#include "harness/trace/nesting.hpp"
#include "harness/trace/trace.hpp"

namespace harness::trace {

/// Bytes taken; below 0 where more was given back.
struct MemoryUse {
  std::int64_t host = 0;
  std::int64_t device = 0;
  MemoryUse& operator+=(const MemoryUse& other);
  MemoryUse& operator-=(const MemoryUse& other);
};

/// The memory events of a trace, asked by time.
class Allocations {
 public:
  explicit Allocations(const Trace& trace);
  /// False where the profiler recorded no memory.
  bool recorded() const { return !times_.empty(); }
  /// From `begin` to `end`, both included, over all threads: as PyTorch gives memory to operators.
  MemoryUse within(std::int64_t begin, std::int64_t end) const;

 private:
  std::vector<std::int64_t> times_;  // rising
  std::vector<MemoryUse> sums_;      // up to and with that event
};

/// Memory events at a time when no host event of any thread runs: PyTorch's row "[memory]".
struct OutsideMemory {
  std::int64_t count = 0;
  MemoryUse use;
};
OutsideMemory allocations_outside(const Trace& trace, const Nesting& nesting,
                                  const std::vector<bool>& inside);

}  // namespace harness::trace
