// What PyTorch's DataParallel does: replicas and threads in one process.
#pragma once

#include "harness/libtorch/place.hpp"
#include "harness/libtorch/rank.hpp"
#include "harness/machine/numa.hpp"

#include "microbench/parallel/replica.hpp"

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include <thread>

namespace microbench::parallel {

/// A replica and a thread for each rank, each thread on that rank's CPUs.
class ReplicaThreads {
 public:
  ReplicaThreads(const harness::Setup& setup, const NetShape& shape, const harness::Rank& rank)
      : cpus_(rank.cpus()) {
    for (int i = 0; i < rank.size(); ++i) replicas_.emplace_back(setup, shape);
  }

  /// One pass: parameters to the replicas, their shares of the batch side by side, gradients to `master`.
  void train(const Replica& master) {
    const auto size = static_cast<int>(replicas_.size());
    for (const auto& replica : replicas_) copy_parameters(master, replica);
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < size; ++i) threads.emplace_back([this, i, size] { pass(i, size); });
    }
    gather(master, size);
  }

 private:
  static void copy_parameters(const Replica& from, const Replica& to) {
    const c10::NoGradGuard no_grad;
    for (std::size_t i = 0; i < to.parameters().size(); ++i) to.parameters()[i].copy_(from.parameters()[i]);
  }

  void pass(int number, int size) const {
    harness::move_to(harness::share_of(cpus_, number, size));
    at::set_num_threads(1);
    const auto& replica = replicas_[static_cast<std::size_t>(number)];
    replica.forget_gradients();
    replica.loss(even_rows(replica.rows(), number, size), size).backward();
  }

  void gather(const Replica& master, int size) const {
    const c10::NoGradGuard no_grad;
    for (std::size_t i = 0; i < master.parameters().size(); ++i) {
      auto sum = replicas_[0].parameters()[i].grad();
      for (std::size_t r = 1; r < replicas_.size(); ++r) sum.add_(replicas_[r].parameters()[i].grad());
      master.parameters()[i].mutable_grad() = sum.div_(size);
    }
  }

  std::vector<int> cpus_;
  std::vector<Replica> replicas_;
};

}  // namespace microbench::parallel
