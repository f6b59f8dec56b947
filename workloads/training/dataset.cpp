#include "workloads/training/dataset.hpp"

#include "harness/core/setup.hpp"
#include "harness/libtorch/range.hpp"
#include "harness/loader/thread_loader.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>

namespace workloads::training {
namespace {

Sample joined(const std::vector<Sample>& samples) {
  std::vector<at::Tensor> inputs, targets;
  for (const auto& sample : samples) {
    inputs.push_back(sample.input);
    targets.push_back(sample.target);
  }
  return {at::stack(inputs), at::stack(targets)};
}

Sample fetched(const std::function<Sample(std::int64_t)>& get, const Numbers& numbers) {
  std::vector<Sample> samples;
  for (const auto number : numbers) samples.push_back(get(number));
  return joined(samples);
}

harness::loader::ThreadPlan threads_of(const LoadPlan& plan, std::size_t batches) {
  harness::loader::ThreadPlan threads;
  threads.batches = static_cast<std::int64_t>(batches);
  threads.workers = plan.workers;
  threads.prefetch = plan.ready;
  threads.on_start = [] { at::set_num_threads(1); };  // as PyTorch's workers: the network needs the others
  return threads;
}

}  // namespace

std::vector<Numbers> shuffled_batches(std::int64_t samples, std::int64_t batch_size, std::uint64_t seed) {
  Numbers order(static_cast<std::size_t>(samples));
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(seed);
  std::ranges::shuffle(order, random);
  std::vector<Numbers> batches;
  for (std::int64_t begin = 0; begin + batch_size <= samples; begin += batch_size)
    batches.emplace_back(order.begin() + begin, order.begin() + begin + batch_size);
  return batches;
}

void check_fills_a_batch(const Dataset& dataset, std::int64_t batch_size) {
  if (dataset.training < batch_size)
    throw harness::BadInput(
        fmt::format("{}: there are {} {} to learn from, and a batch takes {}; give it more data",
                    dataset.source, dataset.training, dataset.what, batch_size));
}

Dataset part_of(const Dataset& dataset, std::int64_t parts, std::int64_t batch_size) {
  auto part = dataset;
  part.training = std::min(dataset.training, std::max(dataset.training / parts, batch_size));
  part.validation = std::min(dataset.validation, std::max(dataset.validation / parts, batch_size));
  part.get = [get = dataset.get, kept = part.training, skipped = dataset.training - part.training](
                 std::int64_t i) { return get(i < kept ? i : i + skipped); };
  return part;
}

Feed::Feed(const Dataset& dataset, bool ahead) : get_(dataset.get) {
  if (!ahead) return;
  Numbers numbers(static_cast<std::size_t>(dataset.training + dataset.validation));
  std::iota(numbers.begin(), numbers.end(), 0);
  all_ = fetched(get_, numbers);
}

Sample Feed::batch(const Numbers& numbers) const {
  if (!all_.input.defined()) return fetched(get_, numbers);
  const auto rows = at::tensor(numbers, at::kLong);
  return {all_.input.index_select(0, rows), all_.target.index_select(0, rows)};
}

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
