#include "workloads/sage/batch_feed.hpp"

#include "harness/libtorch/range.hpp"
#include "harness/loader/thread_loader.hpp"

#include "workloads/training/dataset.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace workloads::sage {
namespace {

/// The vector's memory as a tensor; nothing is copied.
at::Tensor tensor_of(std::vector<std::int64_t> numbers) {
  const auto owner = std::make_shared<std::vector<std::int64_t>>(std::move(numbers));
  return at::from_blob(
      owner->data(), {static_cast<std::int64_t>(owner->size())}, [owner](void*) {}, at::kLong);
}

/// The target of each edge.
std::vector<std::int64_t> targets_of(const std::vector<std::int64_t>& offsets) {
  std::vector<std::int64_t> targets(static_cast<std::size_t>(offsets.back()));
  for (std::size_t t = 0; t + 1 < offsets.size(); ++t)
    for (auto edge = offsets[t]; edge < offsets[t + 1]; ++edge)
      targets[static_cast<std::size_t>(edge)] = static_cast<std::int64_t>(t);
  return targets;
}

harness::loader::ThreadPlan threads_of(const FeedPlan& plan, std::size_t batches) {
  harness::loader::ThreadPlan threads;
  threads.batches = static_cast<std::int64_t>(batches);
  threads.workers = plan.workers;
  threads.prefetch = plan.ready;
  threads.on_start = [] { at::set_num_threads(1); };  // the layers need the others
  return threads;
}

}  // namespace

Feed::Feed(std::shared_ptr<const Graph> graph, std::vector<std::int64_t> fan_outs, const Switches& switches,
           at::Device device)
    : graph_(std::move(graph)),
      fan_outs_(std::move(fan_outs)),
      switches_(switches),
      device_(device),
      pinned_(switches.pinned && device.is_cuda()),
      features_(switches.half_features ? graph_->features.to(at::kBFloat16) : graph_->features) {
  if (switches.features_on_device) features_ = features_.to(device);
}

at::Tensor Feed::for_copies(const at::Tensor& tensor) const {
  return pinned_ && tensor.defined() ? tensor.pin_memory() : tensor;
}

Batch Feed::sampled(const Order& order) const {
  const harness::Range range("sample");
  auto sample = sage::sample(graph_->neighbours, order.seeds, fan_outs_, order.seed);
  Batch batch{.graph = {.nodes_by_hop = std::move(sample.nodes_by_hop),
                        .edges_by_hop = std::move(sample.edges_by_hop)}};
  if (switches_.csr_aggregate)
    batch.graph.offsets = for_copies(tensor_of(std::move(sample.offsets)));
  else
    batch.graph.targets = for_copies(tensor_of(targets_of(sample.offsets)));
  batch.graph.sources = for_copies(tensor_of(std::move(sample.sources)));
  batch.nodes = tensor_of(std::move(sample.nodes));
  batch.labels =
      for_copies(graph_->labels.index_select(0, batch.nodes.narrow(0, 0, std::ssize(order.seeds))));
  if (switches_.features_on_device) batch.nodes = for_copies(batch.nodes);
  return batch;
}

void Feed::gather(Batch& batch) const {
  if (switches_.features_on_device || batch.features.defined()) return;
  const harness::Range range("gather");
  batch.features =
      at::empty({batch.nodes.size(0), features_.size(1)}, features_.options().pinned_memory(pinned_));
  at::index_select_out(batch.features, features_, 0, batch.nodes);
}

Batch Feed::on_device(const Batch& batch) const {
  const harness::Range range("h2d");
  const auto copy = [&](const at::Tensor& tensor) {
    return tensor.defined() ? tensor.to(device_, /*non_blocking=*/pinned_) : tensor;
  };
  auto copied = batch;
  for (auto* tensor : {&copied.graph.sources, &copied.graph.targets, &copied.graph.offsets, &copied.labels})
    *tensor = copy(*tensor);
  copied.features =
      switches_.features_on_device ? features_.index_select(0, copy(batch.nodes)) : copy(batch.features);
  copied.nodes.reset();
  return copied;
}

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
