// An epoch whose batches lie in ordinary memory and are trained on by the device, and a thread that pins
// them.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/slot.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/generator.hpp"
#include "harness/support/thread_loader.hpp"

#include "microbench/host_time.hpp"
#include "microbench/overlap/overlap_work.hpp"

#include <ATen/ATen.h>

namespace microbench {

/// The batches, the device's place for one of them, and pinned memory. Each step ends with its loss on the
/// host, so that the device has fetched a batch before the next one is asked for.
class PinningEpoch {
 public:
  using Batch = std::span<const std::byte>;

  PinningEpoch(std::int64_t batches, std::size_t size, const harness::Setup& setup)
      : losses(static_cast<std::size_t>(batches), -1.0F), stream_(*setup.stream) {
    auto random = harness::host_generator(setup.seed);
    const auto floats = static_cast<std::int64_t>(size / sizeof(float));
    for (std::int64_t i = 0; i < batches; ++i)
      batches_.push_back(at::rand({floats}, random, at::TensorOptions().dtype(at::kFloat)));
    on_device_ = at::zeros({floats},
                           at::TensorOptions().device(harness::torch_device(setup.device)).dtype(at::kFloat));
    constexpr std::size_t slots = 4;  // two ahead, one in use, one that the loop itself fills
    for (std::size_t i = 0; i < slots; ++i) pinned_.emplace_back(size);
    loader_ = std::make_unique<Loader>(
        harness::ThreadPlan{.batches = batches, .workers = 1, .prefetch = 2},
        [this](std::int64_t i) { return pin_into(pinned_[static_cast<std::size_t>(i) % (slots - 1)], i); });
    while (loader_->next()) continue;  // the first epoch begins with the loader
  }

  Batch batch(std::int64_t i) const {
    const auto& values = batches_[static_cast<std::size_t>(i)];
    return {static_cast<const std::byte*>(values.const_data_ptr()), values.nbytes()};
  }
  /// The batch in pinned memory, copied by the caller.
  Batch pin(std::int64_t i) const { return pin_into(pinned_.back(), i); }

  /// One step of the training, and its loss.
  void train(std::int64_t i, Batch from) {
    harness::check(cudaMemcpyAsync(on_device_.mutable_data_ptr(), from.data(), from.size(),
                                   cudaMemcpyHostToDevice, stream_.get()));
    compute();
    losses[static_cast<std::size_t>(i)] = on_device_.mean().item<float>();
  }
  const at::Tensor& on_device() const { return on_device_; }
  void compute() {
    harness::check(queue_work(on_device_.mutable_data_ptr<float>(),
                              static_cast<std::size_t>(on_device_.numel()), rounds, stream_.get()));
  }

  using Loader = harness::ThreadLoader<Batch>;
  Loader& loader() { return *loader_; }
  const harness::Stream& stream() const { return stream_; }

  int rounds = 1;
  std::vector<float> losses;

 private:
  Batch pin_into(const harness::PinnedBuffer& to, std::int64_t i) const {
    const auto from = batch(i);
    std::memcpy(to.data(), from.data(), from.size());
    return to.bytes();
  }

  const harness::Stream& stream_;
  std::vector<at::Tensor> batches_;
  at::Tensor on_device_;
  std::vector<harness::PinnedBuffer> pinned_;
  std::unique_ptr<Loader> loader_;  // last: its thread ends before what it uses goes away
};

/// The rounds with which a step's kernel takes about as long as pinning a batch; found by timing both.
inline int rounds_as_long_as_pinning(PinningEpoch& e) {
  constexpr int trial = 256;
  constexpr double most = 65536;
  e.rounds = trial;
  e.pin(0);  // into pages that were never used
  const auto pinning = harness::host_seconds([&] { e.pin(1); });
  const auto computing = seconds_on(e.stream(), [&] { e.compute(); });
  return static_cast<int>(std::clamp(std::round(trial * pinning / computing), 1.0, most));
}

}  // namespace microbench
