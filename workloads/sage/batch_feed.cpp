#include "workloads/sage/batch_feed.hpp"

#include "harness/libtorch/range.hpp"
#include "harness/support/thread_loader.hpp"

#include "workloads/sage/sample_processes.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

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

harness::ThreadPlan threads_of(const FeedPlan& plan, std::size_t batches) {
  harness::ThreadPlan threads;
  threads.batches = static_cast<std::int64_t>(batches);
  threads.workers = plan.workers;
  threads.prefetch = plan.ready;
  threads.on_start = [] { at::set_num_threads(1); };  // the layers need the others
  return threads;
}

/// Runs it, and adds the seconds.
template <class Call>
auto timed(double& seconds, const Call& call) {
  struct Stop {
    double& seconds;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
    ~Stop() { seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); }
  };
  const Stop stop{seconds};
  return call();
}

}  // namespace

Feed::Feed(std::shared_ptr<const Graph> graph, std::vector<std::int64_t> fan_outs, const Switches& switches,
           at::Device device, std::optional<Room> room)
    : graph_(std::move(graph)),
      fan_outs_(std::move(fan_outs)),
      switches_(switches),
      device_(device),
      pinned_(switches.pinned && device.is_cuda()),
      room_(std::move(room)),
      features_(switches.half_features ? graph_->features.to(at::kBFloat16) : graph_->features) {
  if (switches.features_on_device || switches.zero_copy) rows_.emplace(*graph_, switches, device);
  if (switches.sample_on_device) sampler_.emplace(graph_->neighbours, device);
}

at::Tensor Feed::for_copies(const at::Tensor& tensor) const {
  return pinned_ && tensor.defined() ? tensor.pin_memory() : tensor;
}

Batch Feed::pinned(Batch batch) const {
  for (auto* tensor : {&batch.graph.sources, &batch.graph.targets, &batch.graph.offsets, &batch.nodes,
                       &batch.features, &batch.labels})
    *tensor = for_copies(*tensor);
  return batch;
}

at::Tensor Feed::labels_of(const training::Numbers& seeds, std::int64_t count) const {
  constexpr std::int64_t left_out = -100;
  const auto labels = at::full({count}, left_out, at::kLong);
  labels.narrow(0, 0, std::ssize(seeds)).copy_(graph_->labels.index_select(0, tensor_of(seeds)));
  return for_copies(labels);
}

Batch Feed::sampled(const Order& order) const {
  const harness::Range range("sample");
  Batch batch{.seed = order.seed};
  if (sampler_) {
    batch.labels = labels_of(order.seeds, std::ssize(order.seeds));
    batch.nodes = for_copies(tensor_of(order.seeds));
    return batch;
  }
  auto sample = sage::sample(graph_->neighbours, order.seeds, fan_outs_, order.seed);
  batch.is_padded = room_ && fits(sample, *room_);
  if (batch.is_padded) sample = padded(sample, *room_);
  batch.labels = labels_of(order.seeds, sample.nodes_by_hop.front());
  batch.graph.nodes_by_hop = std::move(sample.nodes_by_hop);
  batch.graph.edges_by_hop = std::move(sample.edges_by_hop);
  if (switches_.csr_aggregate)
    batch.graph.offsets = for_copies(tensor_of(std::move(sample.offsets)));
  else
    batch.graph.targets = for_copies(tensor_of(targets_of(sample.offsets)));
  batch.graph.sources = for_copies(tensor_of(std::move(sample.sources)));
  batch.nodes = tensor_of(std::move(sample.nodes));
  if (rows_) batch.nodes = for_copies(batch.nodes);
  return batch;
}

void Feed::gather(Batch& batch) const {
  if (rows_ || batch.features.defined()) return;
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
  auto nodes = rows_ ? copy(batch.nodes) : at::Tensor();
  if (sampler_) {
    auto drawn = (*sampler_)(nodes, fan_outs_, batch.seed);
    nodes = drawn.nodes;
    copied.graph = {.sources = drawn.sources,
                    .offsets = drawn.offsets,
                    .nodes_by_hop = std::move(drawn.nodes_by_hop),
                    .edges_by_hop = std::move(drawn.edges_by_hop)};
  }
  copied.features = rows_ ? (*rows_)(nodes) : copy(batch.features);
  copied.nodes.reset();
  return copied;
}

struct Feeding::State {
  const Feed& feed;
  std::function<std::optional<Batch>()> made;
  Waits waits = {};
  std::optional<training::CopiesAhead<Batch>> ahead = {};

  /// On the host, with its features.
  std::optional<Batch> gathered() {
    const harness::Range range("data_wait");
    auto batch = timed(waits.sample, made);
    if (batch) timed(waits.gather, [&] { feed.gather(*batch); });
    return batch;
  }
};

namespace {

std::function<std::optional<Batch>()> made_by_processes(const Feed& feed, SampleProcesses& processes,
                                                        const std::vector<Order>& orders) {
  processes.begin(orders);
  return [&feed, &processes] {
    auto batch = processes.next();
    if (batch) batch = feed.pinned(std::move(*batch));
    return batch;
  };
}

std::function<std::optional<Batch>()> made_by_threads(const Feed& feed, const FeedPlan& plan, bool gathers,
                                                      std::vector<Order> orders) {
  const auto threads = threads_of(plan, orders.size());
  auto make = [&feed, gathers, orders = std::move(orders)](std::int64_t index) {
    auto batch = feed.sampled(orders[static_cast<std::size_t>(index)]);
    if (gathers) feed.gather(batch);
    return batch;
  };
  const auto loader = std::make_shared<harness::ThreadLoader<Batch>>(threads, std::move(make));
  return [loader] { return loader->next(); };
}

}  // namespace

Feeding::Feeding(const Feed& feed, const Switches& switches, const FeedPlan& plan, at::Device device,
                 std::vector<Order> orders)
    : state_(new State{feed, plan.processes != nullptr
                                 ? made_by_processes(feed, *plan.processes, orders)
                                 : made_by_threads(feed, plan, switches.gather_in_workers && plan.workers > 0,
                                                   std::move(orders))}) {
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

const Waits& Feeding::waits() const { return state_->waits; }

Batch Feeding::next() {
  if (state_->ahead) {
    if (auto batch = state_->ahead->next()) return std::move(*batch);
  } else if (const auto batch = state_->gathered()) {
    return state_->feed.on_device(*batch);
  }
  throw std::out_of_range("a batch is asked for behind the last one");
}

}  // namespace workloads::sage
