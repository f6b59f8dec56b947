// Where the ranks of a machine run: each on processors of its own.
#pragma once

#include "harness/machine/numa.hpp"

#include <span>
#include <vector>

namespace harness::ranks {

/// The processors of rank `number` of `size`: neighbours, and no other rank's. Throws Skip where there are
/// fewer processors than ranks.
std::vector<int> share_of(std::span<const int> cpus, int number, int size);

/// LibTorch's threads and the CPUs of the calling thread: a rank's while this lives.
class OneRanksThreads {
 public:
  explicit OneRanksThreads(std::span<const int> cpus);
  OneRanksThreads(const OneRanksThreads&) = delete;
  OneRanksThreads& operator=(const OneRanksThreads&) = delete;
  ~OneRanksThreads();

 private:
  StayOn stay_;
  int threads_before_;
};

}  // namespace harness::ranks
