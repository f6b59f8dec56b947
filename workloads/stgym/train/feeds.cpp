#include "workloads/stgym/train/feeds.hpp"

#include "harness/cuda/event.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cstdlib>
#include <cstring>
#include <numeric>

namespace workloads::stgym {
namespace {

/// Tells a worker where the data set lies.
constexpr const char* variable = "TUNEPROOF_STGYM_DATA";

/// A batch in a loader's slot: this, then y, edges, graph_of and x.
struct BatchHead {
  std::int64_t nodes = 0, labels = 0, edges = 0, features = 0;

  std::size_t bytes() const {
    const auto longs = labels + 2 * edges + nodes;
    return sizeof(BatchHead) + 8 * static_cast<std::size_t>(longs) +
           4 * static_cast<std::size_t>(nodes * features);
  }
};

void write_batch(const Batch& batch, std::span<std::byte> out) {
  const BatchHead head{batch.x.size(0), batch.y.size(0), batch.edges.size(1), batch.x.size(1)};
  if (head.bytes() > out.size()) throw std::runtime_error("a batch of STGym does not fit its slot");
  std::memcpy(out.data(), &head, sizeof head);
  auto* to = out.data() + sizeof head;
  for (const auto& part : {batch.y, batch.edges, batch.graph_of, batch.x}) {
    const auto values = part.contiguous();
    std::memcpy(to, values.const_data_ptr(), values.nbytes());
    to += values.nbytes();
  }
}

/// Views of the slot, except for the labels, which outlive their batch until the metric needs them.
Batch read_batch(std::span<const std::byte> in) {
  BatchHead head;
  std::memcpy(&head, in.data(), sizeof head);
  auto* from = const_cast<std::byte*>(in.data()) + sizeof head;  // from_blob wants it so; nothing is written
  const auto take = [&from](at::IntArrayRef shape, at::ScalarType type) {
    auto part = at::from_blob(from, shape, type);
    from += part.nbytes();
    return part;
  };
  Batch batch;
  batch.y = take({head.labels}, at::kLong).clone();
  batch.edges = take({2, head.edges}, at::kLong);
  batch.graph_of = take({head.nodes}, at::kLong);
  batch.x = take({head.nodes, head.features}, at::kFloat);
  batch.adjacency = adjacency_of(batch.edges, head.nodes);
  const auto sizes = at::bincount(batch.graph_of);
  batch.sizes.assign(sizes.const_data_ptr<std::int64_t>(),
                     sizes.const_data_ptr<std::int64_t>() + sizes.numel());
  return batch;
}

MappedDataset parents_dataset() {
  const auto* path = std::getenv(variable);
  if (path == nullptr) throw std::runtime_error(std::string(variable) + " is not set");
  return MappedDataset(std::string(path));
}

/// Runs in a worker process.
void produce(std::int64_t index, std::span<std::byte> out) {
  static const MappedDataset mapped = parents_dataset();
  static const Dataset dataset = mapped.dataset();
  write_batch(fetch_batch(dataset, mapped.graphs(index)), out);
}

/// What the largest possible batch of so many graphs takes.
std::size_t most_bytes(const Dataset& dataset, std::size_t graphs) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t g = 0; g < dataset.graphs(); ++g) sizes.push_back(dataset.nodes(g));
  std::ranges::sort(sizes, std::greater());
  sizes.resize(std::min(sizes.size(), graphs));
  const auto nodes = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  const auto labels = nodes + std::ssize(sizes);                     // of nodes or of graphs
  const std::int64_t edges_per_node = std::max(32, dataset.rule.k);  // a radius graph has 32 at most
  return BatchHead{nodes, labels, nodes * edges_per_node, dataset.features()}.bytes();
}

}  // namespace

Dataset pinned(Dataset dataset) {
  require_memory(pinned_bytes(dataset.x.nbytes()) + pinned_bytes(dataset.y.nbytes()),
                 "the data set's copy in pinned memory needs");
  dataset.x = dataset.x.pin_memory();
  dataset.y = dataset.y.pin_memory();
  return dataset;
}

struct PrefetchFeed::State {
  std::shared_ptr<const Dataset> data;
  std::shared_ptr<const Neighbourhoods> built;
  at::Device device;
  c10::cuda::CUDAStream side;
  harness::Event copied;
  std::vector<std::int64_t> begun;
  std::optional<Batch> batch;

  /// Rows of `all`, which lies in pinned memory, on the device.
  at::Tensor rows(const at::Tensor& all, std::int64_t begin, std::int64_t n) const {
    return all.narrow(0, begin, n).to(device, /*non_blocking=*/true);
  }

  GraphItem item(std::int64_t graph) const {
    const auto begin = data->offsets[static_cast<std::size_t>(graph)];
    const auto n = data->nodes(graph);
    const auto& found = (*built)[static_cast<std::size_t>(graph)];
    const bool labels_graphs = data->task == Task::graph_classification;
    return {rows(data->x, begin, n), labels_graphs ? rows(data->y, graph, 1) : rows(data->y, begin, n),
            found.edges, found.adjacency};
  }
};

PrefetchFeed::PrefetchFeed(std::shared_ptr<const Dataset> dataset,
                           std::shared_ptr<const Neighbourhoods> built, at::Device device)
    : state_(new State{std::move(dataset),
                       std::move(built),
                       device,
                       c10::cuda::getStreamFromPool(false, device.index()),
                       {},
                       {},
                       {}}) {
  // The edges were built on this stream and are read on the feed's.
  c10::cuda::getCurrentCUDAStream(device.index()).synchronize();
}
PrefetchFeed::~PrefetchFeed() = default;

void PrefetchFeed::begin(const std::vector<std::int64_t>& graphs) {
  auto& s = *state_;
  const c10::cuda::CUDAStreamGuard guard(s.side);
  std::vector<GraphItem> items;
  for (const auto graph : graphs) items.push_back(s.item(graph));
  s.batch = join(items);
  s.begun = graphs;
  harness::check(cudaEventRecord(s.copied.get(), s.side));
}

Batch PrefetchFeed::take(const std::vector<std::int64_t>& graphs) {
  auto& s = *state_;
  if (!s.batch || s.begun != graphs) begin(graphs);
  const auto current = c10::cuda::getCurrentCUDAStream(s.device.index());
  harness::check(cudaStreamWaitEvent(current, s.copied.get(), 0));
  auto batch = *std::exchange(s.batch, std::nullopt);
  // The allocator must not give their memory to the next copies before this stream has read them.
  for (const auto& part :
       {batch.x, batch.y, batch.edges, batch.adjacency.indices(), batch.adjacency.values(), batch.graph_of})
    c10::cuda::CUDACachingAllocator::recordStream(part.storage().data_ptr(), current);
  return batch;
}

constexpr harness::BatchSource graph_batches{"stgym/graph_batches", produce};

ProcessFeed::ProcessFeed(std::shared_ptr<const Dataset> dataset, int workers)
    : dataset_(std::move(dataset)), workers_(workers), mapped_(*dataset_) {}

std::size_t ProcessFeed::slot_bytes(const Dataset& dataset, int workers, std::size_t graphs) {
  return static_cast<std::size_t>(workers * harness::ProcessPlan{}.prefetch) * most_bytes(dataset, graphs);
}

void ProcessFeed::begin(const Batches& batches) {
  mapped_.write(batches);
  if (loader_) return loader_->restart();
  std::size_t most = 0;
  for (const auto& batch : batches) most = std::max(most, batch.size());
  setenv(variable, mapped_.path().c_str(), /*overwrite=*/1);  // inherited by the workers started just below
  loader_.emplace(graph_batches, harness::ProcessPlan{.batches = std::ssize(batches),
                                                      .batch_bytes = most_bytes(*dataset_, most),
                                                      .workers = workers_});
  unsetenv(variable);
}

std::optional<Batch> ProcessFeed::next() {
  const auto bytes = loader_->next();
  if (!bytes) return std::nullopt;
  return read_batch(*bytes);
}

}  // namespace workloads::stgym
