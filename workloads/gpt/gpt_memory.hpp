// What batches of the GPT take of memory, each tried in a process of its own, and the largest that fit.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/support/channel.hpp"

#include "workloads/gpt/gpt_model.hpp"
#include "workloads/training/job.hpp"

namespace workloads::gpt {

/// The job with batches of `batch` samples, which repeat where the data has fewer.
training::Job with_batch(training::Job job, std::int64_t batch);

/// The bytes of a training step at its peak as its tensors add up to: parameters, their first values,
/// gradients and two moments; and for each sample what the backward pass finds.
double bytes_by_formula(const Shape& shape, std::int64_t batch, Keep keep);

/// The largest batch of bytes_by_formula; 0: none.
std::int64_t batch_by_formula(const Shape& shape, double bytes, Keep keep);

/// The bytes by which a fresh process grew up to the peak of a training step; on a device, that LibTorch's
/// allocator reserved there. 0: it ran out of memory. Throws Skip beyond the first eight devices.
double peak_of_step(const harness::Device& device, std::int64_t batch, Keep keep);

/// What those processes run, to be served by a program that links LibTorch.
std::span<const harness::BatchSource> memory_sources();

/// What the search found for one form.
struct LargestBatch {
  std::int64_t batch = 0;  // 0: not even one sample fits
  double peak = 0;         // bytes, of its step
  std::int64_t by_formula = 0;
};

/// The largest batches without checkpoints and with them.
struct Room {
  LargestBatch plain, checkpointed;
  /// How many batches without checkpoints one with them holds.
  std::int64_t parts() const { return plain.batch == 0 ? 0 : checkpointed.batch / plain.batch; }
};

/// Searched for once in a worker, by steps in fresh processes, within `--memory`. Throws BadInput for a bad
/// limit.
Room room_for(harness::Setup& setup);

}  // namespace workloads::gpt
