// A network that every rank holds a copy of, and the batch of which each rank computes its rows.
#pragma once

#include "harness/core/step.hpp"
#include "harness/libtorch/rank.hpp"

#include <ATen/core/Tensor.h>

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

}  // namespace microbench::parallel
