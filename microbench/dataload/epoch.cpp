#include "microbench/dataload/epoch.hpp"

#include "harness/support/process_loader.hpp"
#include "harness/support/thread_loader.hpp"

#include <cstring>

namespace microbench {
namespace {

using Bytes = std::vector<std::byte>;
using harness::ProcessLoader;
using Threads = harness::ThreadLoader<std::span<std::byte>>;

/// Stands for the training step: a pass over the batch in which no value can be left out.
std::uint64_t consume(std::uint64_t state, std::span<const std::byte> batch) {
  for (std::size_t i = 0; i + sizeof(std::uint64_t) <= batch.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, batch.data() + i, sizeof word);
    state = (state ^ word) * 0x100000001b3u;
  }
  return state;
}

/// Batches lie in a ring that is made once, as those of processes do: what is compared is not the allocator.
std::shared_ptr<Threads> make_threads(const EpochPlan& plan) {
  const harness::ThreadPlan threads{
      .batches = plan.batches, .workers = plan.workers, .prefetch = plan.prefetch};
  const auto slots =
      static_cast<std::size_t>(threads.workers) * static_cast<std::size_t>(threads.prefetch) + 1;
  const auto ring = std::make_shared<Bytes>(slots * plan.batch_bytes);
  return std::make_shared<Threads>(threads, [=](std::int64_t index) {
    const auto at = static_cast<std::size_t>(index) % slots * plan.batch_bytes;
    const std::span batch(ring->data() + at, plan.batch_bytes);
    plan.source.produce(index, batch);
    return batch;
  });
}

std::shared_ptr<harness::ProcessLoader> make_processes(const EpochPlan& plan) {
  return std::make_shared<harness::ProcessLoader>(plan.source,
                                                  harness::ProcessPlan{.batches = plan.batches,
                                                                       .batch_bytes = plan.batch_bytes,
                                                                       .workers = plan.workers,
                                                                       .prefetch = plan.prefetch,
                                                                       .executable = plan.loader});
}

constexpr std::uint64_t empty_checksum = 0xcbf29ce484222325u;

template <class Loader>
std::uint64_t consume_epoch(Loader& loader) {
  loader.restart();
  std::uint64_t state = empty_checksum;
  while (const auto batch = loader.next()) state = consume(state, *batch);
  return state;
}

/// Waits for the workers: the first epoch is loaded to its end.
template <class Make>
Epochs start(const Make& make) {
  const auto begin = std::chrono::steady_clock::now();
  const auto loader = make();
  loader->next();
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
  while (loader->next()) continue;
  return {[loader] { return consume_epoch(*loader); }, waited.count()};
}

}  // namespace

Epochs start_epochs(const EpochPlan& plan) {
  if (plan.kind == WorkerKind::threads) return start([&] { return make_threads(plan); });
  return start([&] { return make_processes(plan); });
}

std::function<std::uint64_t()> start_in_each_epoch(const EpochPlan& plan) {
  if (plan.kind == WorkerKind::threads) return [plan] { return consume_epoch(*make_threads(plan)); };
  return [plan] { return consume_epoch(*make_processes(plan)); };
}

std::uint64_t checksum_of(std::span<const std::byte> batch) { return consume(empty_checksum, batch); }

harness::Answer bytes_of(std::uint64_t checksum) {
  Bytes bytes(sizeof checksum);
  std::memcpy(bytes.data(), &checksum, sizeof checksum);
  return bytes;
}

std::vector<harness::Figure> start_up_figures(const Epochs& naive, const Epochs& optimized) {
  return {{"start-up to first batch", "ms", 1e3 * naive.first_batch_seconds,
           1e3 * optimized.first_batch_seconds}};
}

}  // namespace microbench
