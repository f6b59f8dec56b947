// One epoch of loading and consuming, with any kind of worker: what the two loading tips share.
#pragma once

#include "harness/loader/batch_source.hpp"
#include "harness/step.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace microbench {

enum class WorkerKind { threads, processes };
inline constexpr std::int64_t worker_kinds[] = {static_cast<std::int64_t>(WorkerKind::threads),
                                                static_cast<std::int64_t>(WorkerKind::processes)};
inline constexpr std::string_view worker_kind_names[] = {"threads", "processes"};

struct EpochPlan {
  harness::BatchSource source;
  std::int64_t batches = 0;
  std::size_t batch_bytes = 0;
  int workers = 0;
  WorkerKind kind = WorkerKind::threads;
};

/// Starts the workers; each call then loads and consumes one epoch with them and gives a checksum that
/// depends on every byte and on the order of the batches.
using Epoch = std::function<std::uint64_t()>;
Epoch start_epochs(const EpochPlan& plan);

/// The checksum as an answer.
harness::Answer bytes_of(std::uint64_t checksum);

/// Figures beside the times: how long it takes from nothing to the first batch, which PyTorch pays in every
/// epoch unless `persistent_workers` is set.
std::vector<harness::Figure> start_up_figures(EpochPlan plan);

}  // namespace microbench
