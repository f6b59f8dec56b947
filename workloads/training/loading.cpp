#include "workloads/training/loading.hpp"

#include "harness/libtorch/range.hpp"
#include "harness/loader/thread_loader.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

namespace workloads::training {
namespace {

harness::loader::ThreadPlan threads_of(const LoadPlan& plan, std::size_t batches) {
  harness::loader::ThreadPlan threads;
  threads.batches = static_cast<std::int64_t>(batches);
  threads.workers = plan.workers;
  threads.prefetch = plan.ready;
  threads.on_start = [] { at::set_num_threads(1); };  // as PyTorch's workers: the network needs the others
  return threads;
}

}  // namespace

struct Loading::State {
  /// What copies a batch beside the work on the one before.
  struct SideCopies {
    explicit SideCopies(c10::cuda::CUDAStream own) : stream(own) {}
    c10::cuda::CUDAStream stream;
    at::cuda::CUDAEvent copied = {};
    std::optional<Sample> begun = {};
  };

  LoadPlan plan;
  harness::loader::ThreadLoader<Sample> made;
  std::optional<SideCopies> side;

  /// Queues the copies of the next batch, if there is one.
  void begin_copies() {
    auto batch = from_workers();
    if (!batch) return;
    const c10::cuda::CUDAStreamGuard guard(side->stream);
    const auto copy = [&](const at::Tensor& tensor) {
      return tensor.pin_memory().to(plan.device, /*non_blocking=*/true);
    };
    side->begun = Sample{copy(batch->input), copy(batch->target)};
    side->copied.record(side->stream);
  }

  std::optional<Sample> from_workers() {
    const harness::Range range("data_wait");
    return made.next();
  }

  std::optional<Sample> copied_ahead() {
    if (!side->begun) begin_copies();
    auto batch = std::exchange(side->begun, std::nullopt);
    if (!batch) return std::nullopt;
    const auto current = c10::cuda::getCurrentCUDAStream(plan.device.index());
    side->copied.block(current);
    // The allocator must not give their memory to the next copies before this stream has read them.
    for (const auto& part : {batch->input, batch->target})
      c10::cuda::CUDACachingAllocator::recordStream(part.storage().data_ptr(), current);
    begin_copies();
    return batch;
  }
};

Loading::Loading(LoadPlan plan, std::vector<Numbers> batches) {
  const auto threads = threads_of(plan, batches.size());
  auto make = [feed = plan.feed, numbers = std::move(batches)](std::int64_t index) {
    return feed.batch(numbers[static_cast<std::size_t>(index)]);
  };
  state_.reset(new State{std::move(plan), {threads, std::move(make)}, std::nullopt});
  if (state_->plan.ahead)
    state_->side.emplace(c10::cuda::getStreamFromPool(false, state_->plan.device.index()));
}
Loading::~Loading() = default;

Sample Loading::next() {
  auto batch = state_->side ? state_->copied_ahead() : state_->from_workers();
  if (!batch) throw std::out_of_range("a batch is asked for behind the last one");
  const harness::Range range("h2d");
  return {batch->input.to(state_->plan.device), batch->target.to(state_->plan.device)};
}

}  // namespace workloads::training
