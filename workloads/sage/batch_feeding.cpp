#include "harness/libtorch/range.hpp"
#include "harness/loader/thread_loader.hpp"

#include "workloads/sage/batch_feed.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <optional>
#include <stdexcept>
#include <utility>

namespace workloads::sage {
namespace {

harness::loader::ThreadPlan threads_of(const FeedPlan& plan, std::size_t batches) {
  harness::loader::ThreadPlan threads;
  threads.batches = static_cast<std::int64_t>(batches);
  threads.workers = plan.workers;
  threads.prefetch = plan.ready;
  threads.on_start = [] { at::set_num_threads(1); };  // the layers need the others
  return threads;
}

}  // namespace

struct Feeding::State {
  /// What copies a batch beside the work on the one before.
  struct SideCopies {
    explicit SideCopies(c10::cuda::CUDAStream own) : stream(own) {}
    c10::cuda::CUDAStream stream;
    at::cuda::CUDAEvent copied = {};
    std::optional<Batch> begun = {};
  };

  const Feed& feed;
  at::Device device;
  harness::loader::ThreadLoader<Batch> made;
  std::optional<SideCopies> side;

  /// On the host, with its features.
  std::optional<Batch> gathered() {
    const harness::Range range("data_wait");
    auto batch = made.next();
    if (batch) feed.gather(*batch);
    return batch;
  }

  /// Queues the copies of the next batch, if there is one.
  void begin_copies() {
    const auto batch = gathered();
    if (!batch) return;
    const c10::cuda::CUDAStreamGuard guard(side->stream);
    side->begun = feed.on_device(*batch);
    side->copied.record(side->stream);
  }

  std::optional<Batch> copied_ahead() {
    if (!side->begun) begin_copies();
    auto batch = std::exchange(side->begun, std::nullopt);
    if (!batch) return std::nullopt;
    const auto current = c10::cuda::getCurrentCUDAStream(device.index());
    side->copied.block(current);
    // The allocator must not give their memory to the next copies before this stream has read them.
    for (const auto& part :
         {batch->graph.sources, batch->graph.targets, batch->graph.offsets, batch->features, batch->labels})
      if (part.defined()) c10::cuda::CUDACachingAllocator::recordStream(part.storage().data_ptr(), current);
    begin_copies();
    return batch;
  }
};

Feeding::Feeding(const Feed& feed, const Switches& switches, const FeedPlan& plan, at::Device device,
                 std::vector<Order> orders) {
  const auto threads = threads_of(plan, orders.size());
  auto make = [&feed, gathers = switches.gather_in_workers, orders = std::move(orders)](std::int64_t index) {
    auto batch = feed.sampled(orders[static_cast<std::size_t>(index)]);
    if (gathers) feed.gather(batch);
    return batch;
  };
  state_.reset(new State{feed, device, {threads, std::move(make)}, std::nullopt});
  if (plan.ahead) state_->side.emplace(c10::cuda::getStreamFromPool(false, device.index()));
}
Feeding::~Feeding() = default;

Batch Feeding::next() {
  if (state_->side) {
    if (auto batch = state_->copied_ahead()) return std::move(*batch);
  } else if (const auto batch = state_->gathered()) {
    return state_->feed.on_device(*batch);
  }
  throw std::out_of_range("a batch is asked for behind the last one");
}

}  // namespace workloads::sage
