#include "workloads/stgym/process_feed.hpp"

#include "workloads/stgym/fetch.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace workloads::stgym {
namespace {

using harness::loader::Descriptor;
using harness::loader::SharedBytes;

/// Where a worker finds the data set: the path of the parent's descriptor below /proc.
constexpr const char* variable = "TUNEPROOF_STGYM_MEMORY";

/// The data set's memory: this, then the arrays in the order of Arrays.
struct Head {
  std::int64_t nodes = 0, features = 0, graphs = 0, labels = 0;
  std::int64_t task = 0, rule = 0, k = 0;
  double radius = 0;

  std::int64_t list_numbers() const { return 1 + 2 * graphs; }
  std::size_t bytes() const {
    const auto longs = graphs + 1 + labels + list_numbers();
    return sizeof(Head) + 8 * static_cast<std::size_t>(longs) +
           4 * static_cast<std::size_t>(nodes * (2 + features));
  }
};

/// The arrays behind a Head. `lists`: the number of batches, then each batch's length and graphs.
struct Arrays {
  std::int64_t *offsets, *labels, *lists;
  float *position, *x;

  explicit Arrays(std::byte* memory) {
    const auto& head = *reinterpret_cast<const Head*>(memory);
    offsets = reinterpret_cast<std::int64_t*>(memory + sizeof(Head));
    labels = offsets + head.graphs + 1;
    lists = labels + head.labels;
    position = reinterpret_cast<float*>(lists + head.list_numbers());
    x = position + 2 * head.nodes;
  }
};

Head head_of(const Dataset& dataset) {
  return {.nodes = dataset.nodes(),
          .features = dataset.features(),
          .graphs = dataset.graphs(),
          .labels = dataset.y.size(0),
          .task = static_cast<std::int64_t>(dataset.task),
          .rule = static_cast<std::int64_t>(dataset.rule.kind),
          .k = dataset.rule.k,
          .radius = dataset.radius};
}

/// The data set as a worker sees it: views of the mapped memory.
Dataset mapped_dataset(std::byte* memory) {
  const auto& head = *reinterpret_cast<const Head*>(memory);
  const Arrays at_memory(memory);
  Dataset dataset;
  dataset.task = static_cast<Task>(head.task);
  dataset.rule.kind = static_cast<NeighbourRule::Kind>(head.rule);
  dataset.rule.k = static_cast<int>(head.k);
  dataset.radius = head.radius;
  dataset.offsets.assign(at_memory.offsets, at_memory.offsets + head.graphs + 1);
  dataset.y = at::from_blob(at_memory.labels, {head.labels}, at::kLong);
  dataset.position = at::from_blob(at_memory.position, {head.nodes, 2}, at::kFloat);
  dataset.x = at::from_blob(at_memory.x, {head.nodes, head.features}, at::kFloat);
  return dataset;
}

template <class T>
void copy_values(const at::Tensor& from, T* to) {
  const auto values = from.contiguous();
  std::memcpy(to, values.const_data_ptr(), static_cast<std::size_t>(values.nbytes()));
}

Descriptor make_memory(std::size_t bytes) {
  Descriptor memory(memfd_create("tuneproof-stgym", MFD_CLOEXEC));
  if (memory.get() < 0 || ftruncate(memory.get(), static_cast<off_t>(bytes)) != 0)
    harness::loader::throw_errno("making the memory of STGym's loader");
  return memory;
}

/// A batch in a loader's slot: four numbers, then y, edges, graph_of and x.
struct BatchHead {
  std::int64_t nodes = 0, labels = 0, edges = 0, features = 0;
};

std::size_t bytes_of(const BatchHead& head) {
  const auto longs = head.labels + 2 * head.edges + head.nodes;
  return sizeof head + 8 * static_cast<std::size_t>(longs) +
         4 * static_cast<std::size_t>(head.nodes * head.features);
}

void write_batch(const Batch& batch, std::span<std::byte> out) {
  const BatchHead head{batch.x.size(0), batch.y.size(0), batch.edges.size(1), batch.x.size(1)};
  if (bytes_of(head) > out.size()) throw std::runtime_error("a batch of STGym does not fit its slot");
  std::memcpy(out.data(), &head, sizeof head);
  auto* to = out.data() + sizeof head;
  for (const auto& part : {batch.y, batch.edges, batch.graph_of, batch.x}) {
    copy_values(part, to);
    to += part.nbytes();
  }
}

Batch read_batch(std::span<const std::byte> in) {
  BatchHead head;
  std::memcpy(&head, in.data(), sizeof head);
  // from_blob takes no const pointer; nothing writes to a batch.
  auto* from = const_cast<std::byte*>(in.data()) + sizeof head;
  const auto take = [&from](at::IntArrayRef shape, at::ScalarType type) {
    const auto part = at::from_blob(from, shape, type);
    from += part.nbytes();
    return part;
  };
  Batch batch;
  batch.y = take({head.labels}, at::kLong).clone();  // outlives its batch until the metric needs it
  batch.edges = take({2, head.edges}, at::kLong);
  batch.graph_of = take({head.nodes}, at::kLong);
  batch.x = take({head.nodes, head.features}, at::kFloat);
  batch.adjacency = adjacency_of(batch.edges, head.nodes);
  return batch;
}

/// Runs in a worker process.
void produce(std::int64_t index, std::span<std::byte> out) {
  struct Mapped {
    Descriptor memory;
    SharedBytes bytes;
    Dataset dataset;
    Mapped()
        : memory(open(std::getenv(variable), O_RDWR | O_CLOEXEC)),
          bytes(memory, static_cast<std::size_t>(lseek(memory.get(), 0, SEEK_END))),
          dataset(mapped_dataset(bytes.bytes().data())) {}
  };
  static const Mapped mapped;
  const auto* list = Arrays(mapped.bytes.bytes().data()).lists + 1;
  for (std::int64_t i = 0; i < index; ++i) list += 1 + *list;
  write_batch(fetch_batch(mapped.dataset, {list + 1, list + 1 + *list}), out);
}

}  // namespace

constexpr harness::BatchSource graph_batches{"stgym/graph_batches", produce};

ProcessFeed::ProcessFeed(const Dataset& dataset, int workers)
    : features_(dataset.features()),
      // Radius graphs have at most 32 neighbours a node.
      edges_per_node_(std::max(32, dataset.rule.k)),
      workers_(workers),
      offsets_(dataset.offsets),
      memory_(make_memory(head_of(dataset).bytes())),
      bytes_(memory_, head_of(dataset).bytes()) {
  const auto head = head_of(dataset);
  auto* memory = bytes_.bytes().data();
  std::memcpy(memory, &head, sizeof head);
  const Arrays to(memory);
  std::ranges::copy(dataset.offsets, to.offsets);
  copy_values(dataset.y, to.labels);
  copy_values(dataset.position, to.position);
  copy_values(dataset.x, to.x);
}

std::size_t ProcessFeed::most_bytes(std::size_t graphs) const {
  std::vector<std::int64_t> sizes;
  for (std::size_t g = 1; g < offsets_.size(); ++g) sizes.push_back(offsets_[g] - offsets_[g - 1]);
  std::ranges::sort(sizes, std::greater());
  sizes.resize(std::min(sizes.size(), graphs));
  const auto nodes = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  return bytes_of({nodes, nodes + std::ssize(sizes), nodes * edges_per_node_, features_});
}

void ProcessFeed::begin(const std::vector<std::vector<std::int64_t>>& batches) {
  auto* to = Arrays(bytes_.bytes().data()).lists;
  *to++ = std::ssize(batches);
  std::size_t most = 0;
  for (const auto& batch : batches) {
    *to++ = std::ssize(batch);
    to = std::ranges::copy(batch, to).out;
    most = std::max(most, batch.size());
  }
  if (loader_) return loader_->restart();
  const auto path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(memory_.get());
  setenv(variable, path.c_str(), /*overwrite=*/1);  // workers inherit it when they are started, just below
  loader_.emplace(graph_batches,
                  harness::ProcessPlan{
                      .batches = std::ssize(batches), .batch_bytes = most_bytes(most), .workers = workers_});
  unsetenv(variable);
}

std::optional<Batch> ProcessFeed::next() {
  const auto bytes = loader_->next();
  if (!bytes) return std::nullopt;
  return read_batch(*bytes);
}

}  // namespace workloads::stgym
