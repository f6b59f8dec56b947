#include "microbench/dataload/epoch.hpp"

#include "harness/loader/process_loader.hpp"
#include "harness/loader/thread_loader.hpp"

#include <chrono>
#include <cstring>
#include <memory>
#include <span>

namespace microbench {
namespace {

using Bytes = std::vector<std::byte>;
using harness::ProcessLoader;
using Threads = harness::ThreadLoader<Bytes>;

/// Stands for the training step: a pass over the batch in which no value can be left out.
std::uint64_t consume(std::uint64_t state, std::span<const std::byte> batch) {
  for (std::size_t i = 0; i + sizeof(std::uint64_t) <= batch.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, batch.data() + i, sizeof word);
    state = (state ^ word) * 0x100000001b3u;
  }
  return state;
}

std::unique_ptr<Threads> make_threads(const EpochPlan& plan) {
  return std::make_unique<Threads>(
      harness::ThreadPlan{.batches = plan.batches, .workers = plan.workers},
      [produce = plan.source.produce, size = plan.batch_bytes](std::int64_t index) {
        Bytes batch(size);
        produce(index, batch);
        return batch;
      });
}

std::unique_ptr<ProcessLoader> make_processes(const EpochPlan& plan) {
  return std::make_unique<ProcessLoader>(
      plan.source, harness::ProcessPlan{
                       .batches = plan.batches, .batch_bytes = plan.batch_bytes, .workers = plan.workers});
}

template <class Loader>
Epoch epochs_of(std::shared_ptr<Loader> loader) {
  return [loader] {
    loader->restart();
    std::uint64_t state = 0xcbf29ce484222325u;
    while (const auto batch = loader->next()) state = consume(state, *batch);
    return state;
  };
}

double seconds_to_first_batch(const EpochPlan& plan) {
  const auto begin = std::chrono::steady_clock::now();
  if (plan.kind == WorkerKind::threads)
    make_threads(plan)->next();
  else
    make_processes(plan)->next();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Epoch start_epochs(const EpochPlan& plan) {
  return plan.kind == WorkerKind::threads ? epochs_of<Threads>(make_threads(plan))
                                          : epochs_of<ProcessLoader>(make_processes(plan));
}

harness::Answer bytes_of(std::uint64_t checksum) {
  Bytes bytes(sizeof checksum);
  std::memcpy(bytes.data(), &checksum, sizeof checksum);
  return bytes;
}

std::vector<harness::Figure> start_up_figures(EpochPlan plan) {
  const auto with = seconds_to_first_batch(plan);
  plan.workers = 0;
  return {{"from nothing to the first batch", "ms", 1e3 * seconds_to_first_batch(plan), 1e3 * with}};
}

}  // namespace microbench
