#include "workloads/sage/sample_processes.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>

namespace workloads::sage {
namespace {

/// Tells a worker where graph and orders lie.
constexpr const char* variable = "TUNEPROOF_SAGE_GRAPH";
constexpr char separator = ':';
constexpr std::size_t most_hops = 8;

/// The graph's memory begins with this; the arrays follow.
struct GraphHead {
  std::int64_t nodes = 0, edges = 0, features = 0, hops = 0;
  std::int64_t fan_outs[most_hops] = {};

  std::size_t bytes() const {
    return sizeof(GraphHead) + static_cast<std::size_t>(8 * (2 * nodes + 1) + 4 * (nodes * features + edges));
  }
};

struct GraphArrays {
  explicit GraphArrays(std::byte* memory)
      : head(*reinterpret_cast<GraphHead*>(memory)),
        offsets(reinterpret_cast<std::int64_t*>(memory + sizeof(GraphHead))),
        labels(offsets + head.nodes + 1),
        features(reinterpret_cast<float*>(labels + head.nodes)),
        neighbours(reinterpret_cast<std::int32_t*>(features + head.nodes * head.features)) {}

  GraphHead& head;
  std::int64_t *offsets, *labels;
  float* features;
  std::int32_t* neighbours;
};

GraphHead head_of(const Graph& graph, const std::vector<std::int64_t>& fan_outs) {
  if (fan_outs.size() > most_hops)
    throw std::invalid_argument(fmt::format("a worker process samples at most {} hops", most_hops));
  GraphHead head{.nodes = graph.neighbours.size(),
                 .edges = std::ssize(graph.neighbours.nodes),
                 .features = graph.features.size(1),
                 .hops = std::ssize(fan_outs)};
  std::ranges::copy(fan_outs, head.fan_outs);
  return head;
}

/// The neighbours are copied, features and labels are views.
Graph graph_in(std::byte* memory) {
  const GraphArrays from(memory);
  const auto& head = from.head;
  return {.source = "shared memory",
          .neighbours = {.offsets = {from.offsets, from.offsets + head.nodes + 1},
                         .nodes = {from.neighbours, from.neighbours + head.edges}},
          .features = at::from_blob(from.features, {head.nodes, head.features}, at::kFloat),
          .labels = at::from_blob(from.labels, {head.nodes}, at::kLong)};
}

/// In the orders' memory lie how many seeds a batch has, then of each batch the sample's seed and its seeds.
std::size_t orders_bytes(std::int64_t batches, std::int64_t seeds) {
  return sizeof(std::int64_t) * static_cast<std::size_t>(1 + batches * (1 + seeds));
}

void write_orders(const std::vector<Order>& orders, std::byte* memory) {
  auto* to = reinterpret_cast<std::int64_t*>(memory);
  *to++ = std::ssize(orders.front().seeds);
  for (const auto& order : orders) {
    *to++ = static_cast<std::int64_t>(order.seed);
    to = std::ranges::copy(order.seeds, to).out;
  }
}

Order order_in(const std::byte* memory, std::int64_t batch) {
  const auto* from = reinterpret_cast<const std::int64_t*>(memory);
  const auto seeds = *from;
  from += 1 + batch * (1 + seeds);
  return {{from + 1, from + 1 + seeds}, static_cast<std::uint64_t>(*from)};
}

/// What the largest batch takes: no node is found twice, and none has more than its fan-out of edges.
std::size_t most_bytes(const GraphHead& head, std::int64_t seeds) {
  std::int64_t found = seeds, nodes = seeds, edges = 0;
  for (std::int64_t hop = 0; hop < head.hops; ++hop) {
    found *= std::min(head.fan_outs[hop], head.nodes);
    edges += found;
    found = std::min(found, head.nodes);
    nodes += found;
  }
  nodes = std::min(nodes, head.nodes);
  const auto longs = 2 * head.hops + 1 + std::min(edges, head.edges) + nodes + 1 + seeds;
  return static_cast<std::size_t>(8 * longs + 4 * nodes * head.features);
}

/// In a slot lie how many nodes and edges each hop has, sources, offsets, labels and features.
void write_batch(const Batch& batch, std::span<std::byte> out) {
  auto* to = out.data();
  const auto write = [&](const void* from, std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(out.data() + out.size() - to))
      throw std::runtime_error("a batch of GraphSAGE does not fit its slot");
    std::memcpy(to, from, bytes);
    to += bytes;
  };
  for (const auto* counts : {&batch.graph.nodes_by_hop, &batch.graph.edges_by_hop})
    write(counts->data(), counts->size() * sizeof(std::int64_t));
  for (const auto& tensor : {batch.graph.sources, batch.graph.offsets, batch.labels, batch.features})
    write(tensor.const_data_ptr(), tensor.nbytes());
}

/// Views of the slot.
Batch read_batch(std::span<const std::byte> in, std::int64_t hops, std::int64_t features) {
  auto* from = const_cast<std::byte*>(in.data());  // from_blob wants it so; nothing is written
  const auto counts = [&from](std::int64_t count) {
    const auto* numbers = reinterpret_cast<const std::int64_t*>(from);
    from += sizeof(std::int64_t) * static_cast<std::size_t>(count);
    return std::vector(numbers, numbers + count);
  };
  const auto tensor = [&from](at::IntArrayRef shape, at::ScalarType type) {
    auto part = at::from_blob(from, shape, type);
    from += part.nbytes();
    return part;
  };
  Batch batch;
  batch.graph.nodes_by_hop = counts(hops + 1);
  batch.graph.edges_by_hop = counts(hops);
  const auto nodes = batch.graph.nodes();
  const auto& edges = batch.graph.edges_by_hop;
  batch.graph.sources = tensor({std::reduce(edges.begin(), edges.end())}, at::kLong);
  batch.graph.offsets = tensor({nodes + 1}, at::kLong);
  batch.labels = tensor({batch.graph.nodes_by_hop.front()}, at::kLong);
  batch.features = tensor({nodes, features}, at::kFloat);
  return batch;
}

/// The memory that a worker process reads, mapped by the paths in `variable`, and the feed over it.
struct WorkerInput {
  SharedMemory graph, orders;
  Feed feed;

  explicit WorkerInput(const std::string& paths)
      : graph(paths.substr(0, paths.find(separator))),
        orders(paths.substr(paths.find(separator) + 1)),
        feed(std::make_shared<const Graph>(graph_in(graph.data())), fan_outs(), {.csr_aggregate = true},
             at::kCPU) {}

  std::vector<std::int64_t> fan_outs() const {
    const auto& head = GraphArrays(graph.data()).head;
    return {head.fan_outs, head.fan_outs + head.hops};
  }
};

void produce(std::int64_t index, std::span<std::byte> out) {
  static const WorkerInput input = [] {
    const auto* paths = std::getenv(variable);
    if (paths == nullptr) throw std::runtime_error(std::string(variable) + " is not set");
    return WorkerInput(paths);
  }();
  auto batch = input.feed.sampled(order_in(input.orders.data(), index));
  input.feed.gather(batch);
  write_batch(batch, out);
}

harness::Fd made_file(std::size_t bytes) {
  auto file = harness::nameless_file("tuneproof-sage");
  if (ftruncate(file.get(), static_cast<off_t>(bytes)) != 0)
    harness::throw_errno("making GraphSAGE's shared memory");
  return file;
}

harness::Fd opened_file(const std::string& path) {
  harness::Fd file(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (file.get() < 0) harness::throw_errno("opening GraphSAGE's shared memory");
  return file;
}

std::size_t size_of(const harness::Fd& file) {
  return static_cast<std::size_t>(lseek(file.get(), 0, SEEK_END));
}

}  // namespace

constexpr harness::BatchSource sampled_batches{"sage/sampled_batches", produce};

SharedMemory::SharedMemory(std::size_t bytes) : file_(made_file(bytes)), mapped_(file_, bytes) {}
SharedMemory::SharedMemory(const std::string& path)
    : file_(opened_file(path)), mapped_(file_, size_of(file_)) {}

std::string SharedMemory::path() const {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_.get());
}

SampleProcesses::SampleProcesses(const Graph& graph, std::vector<std::int64_t> fan_outs, int workers,
                                 int ready)
    : fan_outs_(std::move(fan_outs)),
      workers_(workers),
      ready_(ready),
      graph_(head_of(graph, fan_outs_).bytes()) {
  *reinterpret_cast<GraphHead*>(graph_.data()) = head_of(graph, fan_outs_);
  const GraphArrays to(graph_.data());
  const auto copy = [](const at::Tensor& from, void* into) {
    std::memcpy(into, from.const_data_ptr(), from.nbytes());
  };
  std::ranges::copy(graph.neighbours.offsets, to.offsets);
  std::ranges::copy(graph.neighbours.nodes, to.neighbours);
  copy(graph.labels, to.labels);
  copy(graph.features, to.features);
}

void SampleProcesses::begin(const std::vector<Order>& orders) {
  const auto batches = std::ssize(orders), seeds = std::ssize(orders.front().seeds);
  if (loader_ && batches == batches_) {
    write_orders(orders, orders_->data());
    return loader_->restart();
  }
  loader_.reset();
  batches_ = batches;
  orders_.emplace(orders_bytes(batches, seeds));
  write_orders(orders, orders_->data());
  const auto paths = graph_.path() + separator + orders_->path();
  loader_.emplace(sampled_batches,
                  harness::ProcessPlan{.batches = batches,
                                       .batch_bytes = most_bytes(GraphArrays(graph_.data()).head, seeds),
                                       .workers = workers_,
                                       .prefetch = ready_,
                                       .environment = {std::string(variable) + "=" + paths}});
}

std::optional<Batch> SampleProcesses::next() {
  const auto bytes = loader_->next();
  if (!bytes) return std::nullopt;
  const auto& head = GraphArrays(graph_.data()).head;
  return read_batch(*bytes, head.hops, head.features);
}

}  // namespace workloads::sage
