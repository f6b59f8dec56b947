// A network that every rank holds a copy of, the batch of which each rank computes its rows, and what
// PyTorch's DataParallel does: replicas and threads in one process.
#pragma once

#include "harness/core/step.hpp"
#include "harness/libtorch/place.hpp"
#include "harness/libtorch/rank.hpp"
#include "harness/machine/numa.hpp"

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>

#include <thread>

namespace microbench::parallel {

struct NetShape {
  std::int64_t layers = 8;
  std::int64_t width = 512;
  std::int64_t rows = 64;  // of the whole batch, all ranks together
  at::ScalarType type = at::kFloat;
};

/// Neighbouring rows of the batch.
struct Rows {
  std::int64_t first = 0;
  std::int64_t end = 0;
};
/// The rows of each rank, as even as they come.
Rows even_rows(std::int64_t rows, int rank, int size);

/// Equal on all ranks, since all draw from the same seed.
class Replica {
 public:
  /// What the gradient of the whole batch is, computed by one process: `gradients` in the order of the
  /// parameters.
  struct Truth {
    std::vector<at::Tensor> gradients;
  };

  Replica(const harness::Setup& setup, const NetShape& shape);

  const std::vector<at::Tensor>& parameters() const { return parameters_; }
  std::int64_t rows() const { return input_.size(0); }

  /// The forward pass over these rows. Its gradient is so scaled that the mean over `ranks` ranks, which
  /// share the batch among them, is the gradient of the whole batch's mean loss.
  at::Tensor loss(Rows rows, int ranks) const;

  void forget_gradients() const;
  /// Of all parameters. Throws Disagreement where one has none.
  std::vector<at::Tensor> gradients() const;

  /// The whole batch in this process. Leaves no gradient behind.
  Truth truth() const;

 private:
  std::vector<at::Tensor> parameters_;
  at::Tensor input_;
};

/// The gradient as the answer of a form. Throws Disagreement where a parameter's differs from one process's
/// by more than `tolerance` of its largest value.
harness::Answer checked_gradient(const Replica& replica, const Replica::Truth& truth, double tolerance);

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
