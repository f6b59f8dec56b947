// Samples to learn from, the batches that an epoch makes of them, workers that make these ahead, and copies
// to a device one batch ahead of the work on them.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace workloads::training {

/// What a network is given and what it should answer: one sample, or several along a first dimension.
struct Sample {
  at::Tensor input;
  at::Tensor target;
};

/// How many samples are learned from, and how many validate.
struct Split {
  std::int64_t training = 0;
  std::int64_t validation = 0;
};

/// Samples by number. The first `training` of them are learned from, the others validate.
struct Dataset {
  std::string source;  // for messages: a file, or "stand-in"
  std::int64_t training = 0;
  std::int64_t validation = 0;
  std::string what = "samples";  // they are, for messages
  /// One sample as the network wants it: read, decoded and transformed anew at each call.
  std::function<Sample(std::int64_t)> get;
};

using Numbers = std::vector<std::int64_t>;

/// The batches of an epoch in that epoch's order, the same for each form; what does not fill one is left out.
std::vector<Numbers> shuffled_batches(std::int64_t samples, std::int64_t batch_size, std::uint64_t seed);

/// Throws BadInput, naming the source, where the training samples do not fill one batch.
void check_fills_a_batch(const Dataset& dataset, std::int64_t batch_size);

/// The first samples of each kind: one of `parts` equal parts, but a batch at least.
Dataset part_of(const Dataset& dataset, std::int64_t parts, std::int64_t batch_size);

/// Makes batches: sample by sample, or out of what was transformed once.
class Feed {
 public:
  /// `ahead`: all samples are transformed here and now.
  Feed(const Dataset& dataset, bool ahead);
  Sample batch(const Numbers& numbers) const;

 private:
  std::function<Sample(std::int64_t)> get_;
  Sample all_;  // where they were transformed ahead
};

/// Where batches come from, and where they go.
struct LoadPlan {
  Feed feed;
  at::Device device = at::kCPU;
  int workers = 0;     // threads that make batches; 0: `next` makes them
  int ready = 2;       // batches that may lie ready or in work, per worker
  bool ahead = false;  // copied from pinned memory on a stream of its own, one batch ahead; a CUDA device's
};

/// The given batches, in order, on the device.
class Loading {
 public:
  /// Starts the workers.
  Loading(LoadPlan plan, std::vector<Numbers> batches);
  ~Loading();
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;

  /// The next batch. Throws std::out_of_range behind the last one.
  Sample next();

 private:
  struct State;  // threads, streams and events
  std::unique_ptr<State> state_;
};

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
