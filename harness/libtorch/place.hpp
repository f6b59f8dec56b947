// Where the ranks run: each on processors of its own, on CUDA devices of its own, on the nodes of a job.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/machine/numa.hpp"

namespace harness::inline libtorch {

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

/// Throws Skip where there is not one for each rank, or where NCCL cannot run on them. Of the host anything
/// goes.
void require_devices(const Device& first, int size);

struct Whereabouts {
  std::string node;
  std::vector<int> cpus;  // that the process may use
};

/// A rank among those that have the same processors, and among those of its node.
struct Share {
  int number = 0;
  int size = 1;
  int number_on_node = 0;
};

/// Ranks that a launcher has bound to processors of their own share them with nobody.
Share share_among(std::span<const Whereabouts> all, int rank);

/// How many of the ranks are on rank 0's node.
int ranks_beside(std::span<const Whereabouts> all);

std::string whereabouts_to_json(const Whereabouts& one);
/// Throws BadInput where it is malformed.
Whereabouts whereabouts_from_json(std::string_view text);

}  // namespace harness::inline libtorch
