// Batches whose length varies, worked on in static memory that fits the longest.
#pragma once

#include "harness/cuda/check.hpp"
#include "harness/cuda/stream.hpp"

#include "microbench/short_kernels.hpp"
#include "microbench/values.hpp"

#include <random>

namespace microbench {

inline constexpr std::size_t varying_batches = 16;

/// The first of `count` equally spaced sizes up to `most`, from 1, that is at least `length`.
constexpr std::int64_t bucket_of(std::int64_t length, std::int64_t most, std::int64_t count) {
  std::int64_t bucket = 1;
  while (most * bucket / count < length) ++bucket;
  return bucket;
}

/// Batches between an eighth of `most` and `most` floats, cut from one source: batch i begins at its i-th.
struct VaryingBatches {
  std::array<std::int64_t, varying_batches> lengths{};
  at::Tensor source;
  at::Tensor in;      // one batch; behind its end lies what an earlier one left
  at::Tensor worked;  // what the kernels make of it
  at::Tensor lengths_on_device;
  at::Tensor length;   // of the batch in `in`
  at::Tensor sums;     // of that batch
  at::Tensor results;  // the sums of all batches

  VaryingBatches(const harness::Setup& setup, std::int64_t most) {
    const auto options = floats_on(setup.device);
    std::mt19937_64 engine(setup.seed);
    const auto least = static_cast<std::uint64_t>(most / 8);
    const auto choices = static_cast<std::uint64_t>(most) - least + 1;
    for (auto& own : lengths) own = static_cast<std::int64_t>(least + engine() % choices);
    source = normal_values(setup, {most + static_cast<std::int64_t>(varying_batches)});
    in = at::zeros({most}, options);
    worked = at::zeros({most}, options);
    lengths_on_device = at::tensor(at::IntArrayRef(lengths), at::kLong).to(options.dtype(at::kInt));
    length = at::zeros({1}, options.dtype(at::kInt));
    sums = at::zeros({partial_sums}, options);
    results = at::zeros({static_cast<std::int64_t>(varying_batches), partial_sums}, options);
  }

  /// Brings batch i and its length into the static memory.
  void load(std::size_t i, const harness::Stream& stream) const {
    const auto bytes = static_cast<std::size_t>(lengths[i]) * sizeof(float);
    copy(in.data_ptr<float>(), source.const_data_ptr<float>() + i, bytes, stream);
    copy(length.data_ptr<int>(), lengths_on_device.const_data_ptr<int>() + i, sizeof(int), stream);
  }
  /// Queues the work on the first n values: 20 kernels and the sums.
  void queue(std::int64_t n, const harness::Stream& stream) const {
    constexpr int kernels = 20;
    const auto size = static_cast<std::size_t>(n);
    auto* out = worked.data_ptr<float>();
    harness::check(queue_scale(out, in.const_data_ptr<float>(), 0.5F, size, stream.get()));
    for (int i = 1; i < kernels; ++i) harness::check(queue_scale(out, out, 1.0625F, size, stream.get()));
    harness::check(
        queue_masked_sums(sums.data_ptr<float>(), out, length.const_data_ptr<int>(), size, stream.get()));
  }
  /// Puts the sums of batch i away.
  void store(std::size_t i, const harness::Stream& stream) const {
    copy(results.data_ptr<float>() + i * partial_sums, sums.const_data_ptr<float>(),
         partial_sums * sizeof(float), stream);
  }

 private:
  static void copy(void* to, const void* from, std::size_t bytes, const harness::Stream& stream) {
    harness::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream.get()));
  }
};

}  // namespace microbench
