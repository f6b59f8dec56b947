#include "workloads/stgym/train/prefetch_feed.hpp"

#include "harness/cuda/event.hpp"

#include "workloads/stgym/data/require_memory.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <optional>
#include <utility>

namespace workloads::stgym {

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

}  // namespace workloads::stgym
