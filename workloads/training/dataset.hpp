// Samples to learn from, the batches that an epoch makes of them, and workers that make these ahead of time.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
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

}  // namespace workloads::training
