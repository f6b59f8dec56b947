// One of the processes that run a row together, as its step sees it, and how the step's preparation learns
// which one it is.
#pragma once

#include "harness/core/setup.hpp"

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include <exception>
#include <utility>
#include <vector>

namespace harness::inline libtorch {

using Group = c10::intrusive_ptr<c10d::ProcessGroup>;

/// Its number, from 0, how many there are, and the group that they exchange tensors in. All ranks of a row
/// make the same calls of the group in the same order.
class Rank {
 public:
  Rank(int number, int size, Group group, std::vector<int> cpus)
      : number_(number), size_(size), group_(std::move(group)), cpus_(std::move(cpus)) {}
  int number() const { return number_; }
  int size() const { return size_; }
  const Group& group() const { return group_; }
  /// The processors of all ranks of this machine together; share_of() says which are whose.
  const std::vector<int>& cpus() const { return cpus_; }

 private:
  int number_;
  int size_;
  Group group_;
  std::vector<int> cpus_;
};

/// The rank that prepares a step, which must ask before it does anything else: a step that asks runs in
/// ranks. Where nobody brings others along, in a test for instance, it is the only one of its group.
std::shared_ptr<const Rank> rank_of(Setup& setup);

/// Thrown by rank_of() where others would come if they were wanted, and nobody has brought them yet.
class RanksWanted : public std::exception {
 public:
  const char* what() const noexcept override { return "the step runs in ranks"; }
};

/// While it lives, what is prepared with the setup is that rank's; without a rank, who asks for one gets
/// RanksWanted.
class Seated {
 public:
  Seated(Setup& setup, std::shared_ptr<const Rank> rank);
  Seated(const Seated&) = delete;
  Seated& operator=(const Seated&) = delete;
  ~Seated();

 private:
  Setup& setup_;
};

}  // namespace harness::inline libtorch
