#include "workloads/training/dataset.hpp"

#include "harness/core/setup.hpp"
#include "harness/libtorch/range.hpp"
#include "harness/support/thread_loader.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <numeric>
#include <random>

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

harness::ThreadPlan threads_of(const LoadPlan& plan, std::size_t batches) {
  harness::ThreadPlan threads;
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
  LoadPlan plan;
  harness::ThreadLoader<Sample> made;
  std::optional<CopiesAhead<Sample>> ahead;

  std::optional<Sample> from_workers() {
    const harness::Range range("data_wait");
    return made.next();
  }

  Sample copied(const Sample& batch) const {
    const auto copy = [&](const at::Tensor& tensor) { return tensor.to(plan.device, /*non_blocking=*/true); };
    return {copy(batch.input), copy(batch.target)};
  }
};

Loading::Loading(LoadPlan plan, std::vector<Numbers> batches) {
  const auto threads = threads_of(plan, batches.size());
  // Pinned by whoever makes it: pinning allocates and copies, and would hold up the training thread.
  auto make = [feed = plan.feed, pins = plan.ahead, numbers = std::move(batches)](std::int64_t index) {
    auto batch = feed.batch(numbers[static_cast<std::size_t>(index)]);
    return pins ? Sample{batch.input.pin_memory(), batch.target.pin_memory()} : batch;
  };
  state_.reset(new State{std::move(plan), {threads, std::move(make)}, std::nullopt});
  if (state_->plan.ahead)
    state_->ahead.emplace(
        state_->plan.device,
        CopiesAhead<Sample>::Calls{
            .next = [state = state_.get()] { return state->from_workers(); },
            .copy = [state = state_.get()](const Sample& batch) { return state->copied(batch); },
            .tensors = [](const Sample& batch) { return std::vector{batch.input, batch.target}; }});
}
Loading::~Loading() = default;

Sample Loading::next() {
  auto batch = state_->ahead ? state_->ahead->next() : state_->from_workers();
  if (!batch) throw std::out_of_range("a batch is asked for behind the last one");
  const harness::Range range("h2d");
  return {batch->input.to(state_->plan.device), batch->target.to(state_->plan.device)};
}

}  // namespace workloads::training
