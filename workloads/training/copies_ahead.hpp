// Batches that are copied to a CUDA device on a stream of their own, one ahead of the work on them.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace workloads::training {

template <class Batch>
class CopiesAhead {
 public:
  struct Calls {
    std::function<std::optional<Batch>()> next;                    // on the host; nothing behind the last
    std::function<Batch(const Batch&)> copy;                       // queues the copies on the current stream
    std::function<std::vector<at::Tensor>(const Batch&)> tensors;  // of a copied batch; some may be undefined
  };

  CopiesAhead(at::Device device, Calls calls)
      : device_(device),
        calls_(std::move(calls)),
        stream_(c10::cuda::getStreamFromPool(false, device.index())) {}

  /// The next batch on the device, while the one behind it is copied. Nothing behind the last one.
  std::optional<Batch> next() {
    if (!begun_) begin();
    auto batch = std::exchange(begun_, std::nullopt);
    if (!batch) return std::nullopt;
    const auto current = c10::cuda::getCurrentCUDAStream(device_.index());
    copied_.block(current);
    // Keep the allocator from giving their memory to the next copies before this stream has read them.
    for (const auto& tensor : calls_.tensors(*batch))
      if (tensor.defined())
        c10::cuda::CUDACachingAllocator::recordStream(tensor.storage().data_ptr(), current);
    begin();
    return batch;
  }

 private:
  void begin() {
    const auto batch = calls_.next();
    if (!batch) return;
    const c10::cuda::CUDAStreamGuard guard(stream_);
    begun_ = calls_.copy(*batch);
    copied_.record(stream_);
  }

  at::Device device_;
  Calls calls_;
  c10::cuda::CUDAStream stream_;
  at::cuda::CUDAEvent copied_;
  std::optional<Batch> begun_;
};

}  // namespace workloads::training
