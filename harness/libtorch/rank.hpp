// One of the processes that run a row together, as its step sees it.
#pragma once

#include "harness/core/setup.hpp"

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

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

}  // namespace harness::inline libtorch
