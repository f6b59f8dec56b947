// The ways to make gradients equal on all ranks: by hand after the backward pass, or in buckets during it.
#pragma once

#include "harness/libtorch/rank.hpp"

#include <ATen/core/Tensor.h>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include <cstddef>
#include <limits>

namespace harness::inline libtorch {

/// One all-reduce for each gradient, one after the other; the means stand in the gradients.
void average_each(const Rank& rank, const std::vector<at::Tensor>& gradients);
/// All gradients copied into one buffer, one all-reduce, and copied back.
void average_flat(const Rank& rank, const std::vector<at::Tensor>& gradients);

/// What PyTorch's DistributedDataParallel takes.
struct DdpOptions {
  static constexpr std::size_t mib = std::size_t{1} << 20;
  static constexpr std::size_t everything = std::numeric_limits<std::int64_t>::max();
  std::size_t bucket_bytes = 25 * mib;
  bool find_unused = false;
  bool gradient_as_bucket_view = false;
  std::function<void(c10d::Reducer&)> hook = {};  // registers what exchanges a bucket; empty: an all-reduce
};

/// What DistributedDataParallel does around a backward pass, with the Reducer that it is made of: gradients
/// gather in buckets, and a bucket's all-reduce begins as soon as the last of its gradients is there.
class Ddp {
 public:
  Ddp(const Rank& rank, const std::vector<at::Tensor>& parameters, const DdpOptions& options);

  /// The backward pass; behind it the gradients are the means over the ranks.
  void backward(const at::Tensor& loss);
  /// The same without the other ranks, as in no_sync(): gradients add up on each rank.
  static void backward_alone(const at::Tensor& loss) { loss.backward(); }

 private:
  bool find_unused_;
  std::unique_ptr<c10d::Reducer> reducer_;
};

}  // namespace harness::inline libtorch
