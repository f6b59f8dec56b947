// A training in several processes, each with its shard of every batch, as PyTorch's DistributedDataParallel
// does it.
#pragma once

#include "workloads/training/network.hpp"

#include <cstddef>
#include <memory>

namespace harness::inline libtorch {
class Ddp;   // harness/libtorch/reduce.hpp
class Rank;  // harness/libtorch/rank.hpp
}  // namespace harness::inline libtorch

namespace workloads::training {

constexpr std::size_t ddps_bucket = std::size_t{25} << 20;  // bytes of gradients; PyTorch's default

/// How a rank trains with the others.
struct DataParallel {
  std::shared_ptr<const harness::Rank> rank;
  std::size_t bucket_bytes = ddps_bucket;  // of gradients that are sent together
  bool sync_each_part = false;  // gradients are exchanged behind each part of a batch, not the last one alone
};

/// Part `number` of `parts` of a batch's samples: neighbours, as many in each part as they divide evenly.
std::vector<std::int64_t> part_of(const std::vector<std::int64_t>& batch, std::int64_t number,
                                  std::int64_t parts);
/// The part that is the rank's.
std::vector<std::int64_t> shard_of(const std::vector<std::int64_t>& batch, const harness::Rank& rank);

class GradientExchange;

/// The loss over all ranks, where there are others, and the norm of all gradients.
std::vector<float> loss_and_norm(const at::Tensor& loss, const NamedTensors& parameters,
                                 const std::unique_ptr<GradientExchange>& exchange);

/// One rank's side. All ranks make the same calls in the same order.
class GradientExchange {
 public:
  GradientExchange(const DataParallel& plan, const NamedTensors& parameters, const NamedTensors& buffers);
  ~GradientExchange();
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;

  /// Rank 0's buffers for all ranks, before the forward pass of a part whose gradients will be exchanged.
  void send_buffers(bool is_last_part) const;
  /// The backward pass. Behind the last part the gradients are means over the ranks.
  void backward(const at::Tensor& loss, bool is_last_part);
  /// A value's mean over the ranks.
  at::Tensor mean(const at::Tensor& value) const;

 private:
  bool exchanges(bool is_last_part) const { return is_last_part || plan_.sync_each_part; }

  DataParallel plan_;
  std::vector<at::Tensor> buffers_;
  std::unique_ptr<harness::Ddp> ddp_;
};

}  // namespace workloads::training
