// One epoch of loading and consuming, with any kind of worker: what the loading tips share.
#pragma once

#include "harness/core/step.hpp"
#include "harness/support/channel.hpp"

namespace microbench {

enum class WorkerKind { threads, processes };
inline constexpr std::string_view worker_kind_names[] = {"threads", "processes"};
inline constexpr std::string_view worker_kinds_about =
    "threads of this process, or processes that pass batches through shared memory";

struct EpochPlan {
  harness::BatchSource source;
  std::int64_t batches = 0;
  std::size_t batch_bytes = 0;
  int workers = 0;
  WorkerKind kind = WorkerKind::threads;
  std::string loader = "/proc/self/exe";  // Setup::loader
  int prefetch = 2;                       // batches that may lie ready or in work, per worker
};

/// A loader whose workers run. Each call of `run` loads and consumes one epoch and gives a checksum that
/// depends on every byte and on the order of the batches.
struct Epochs {
  std::function<std::uint64_t()> run;
  /// From start-up to the first batch; PyTorch pays it in every epoch unless `persistent_workers` is set.
  double first_batch_seconds = 0;
};
Epochs start_epochs(const EpochPlan& plan);

/// The same epoch, but each call starts workers of its own and ends them.
std::function<std::uint64_t()> start_in_each_epoch(const EpochPlan& plan);

/// A checksum that depends on every byte of one batch.
std::uint64_t checksum_of(std::span<const std::byte> batch);

/// The checksum as an answer.
harness::Answer bytes_of(std::uint64_t checksum);

/// What starting the workers costs, to stand beside the times.
std::vector<harness::Figure> start_up_figures(const Epochs& naive, const Epochs& optimized);

}  // namespace microbench
