#include "harness/libtorch/range.hpp"
#include "harness/loader/thread_loader.hpp"

#include "workloads/sage/batch_feed.hpp"
#include "workloads/training/copies_ahead.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

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
  const Feed& feed;
  harness::loader::ThreadLoader<Batch> made;
  std::optional<training::CopiesAhead<Batch>> ahead;

  /// On the host, with its features.
  std::optional<Batch> gathered() {
    const harness::Range range("data_wait");
    auto batch = made.next();
    if (batch) feed.gather(*batch);
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
  state_.reset(new State{feed, {threads, std::move(make)}, std::nullopt});
  if (plan.ahead)
    state_->ahead.emplace(device, training::CopiesAhead<Batch>::Calls{
                                      .next = [state = state_.get()] { return state->gathered(); },
                                      .copy = [&feed](const Batch& batch) { return feed.on_device(batch); },
                                      .tensors =
                                          [](const Batch& batch) {
                                            return std::vector{batch.graph.sources, batch.graph.targets,
                                                               batch.graph.offsets, batch.features,
                                                               batch.labels};
                                          }});
}
Feeding::~Feeding() = default;

Batch Feeding::next() {
  if (state_->ahead) {
    if (auto batch = state_->ahead->next()) return std::move(*batch);
  } else if (const auto batch = state_->gathered()) {
    return state_->feed.on_device(*batch);
  }
  throw std::out_of_range("a batch is asked for behind the last one");
}

}  // namespace workloads::sage
