// Random numbers on the device: other numbers than a GPU's, from the same state.
#pragma once

#include "stand_in/operators/operator_call.hpp"

#include <ATen/cuda/PhiloxCudaState.h>

namespace stand_in::operators {

/// The part of the CUDA generator's sequence that a call gets, taken when it is queued; in a graph the seed
/// and the offset are read at each replay.
class Random {
 public:
  /// Empty for operators that draw nothing.
  explicit Random(const Call& call);
  /// Runs `work` with a generator of the host made from it: as an argument where the operator takes one, else
  /// as the host's default generator, which is put back behind it.
  void run(Stack& arguments, const std::function<void()>& work) const;
  /// As run, for a try whose numbers do not count.
  static void run_without(const Call& call, Stack& arguments, const std::function<void()>& work);

 private:
  bool draws_ = false;
  std::optional<std::size_t> argument_;
  at::PhiloxCudaState state_;
};

}  // namespace stand_in::operators
