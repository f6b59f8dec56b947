#include "workloads/stgym/train/graph_loading.hpp"

#include "harness/libtorch/range.hpp"

#include "workloads/stgym/train/feeds.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>

namespace workloads::stgym {
namespace {

/// What a loader thread does first. A thread starts with the default stream as its current one; work that it
/// queues on the trainer's stream is there before the trainer reads it.
std::function<void()> join_stream(at::Device device) {
  if (!device.is_cuda()) return {};
  return
      [stream = c10::cuda::getCurrentCUDAStream(device.index())] { c10::cuda::setCurrentCUDAStream(stream); };
}

/// A batch that was made on the host moves whole, from pageable memory.
Batch to_device(Batch batch, at::Device device) {
  for (auto* part : {&batch.x, &batch.y, &batch.edges, &batch.adjacency, &batch.graph_of})
    if (part->defined()) *part = part->to(device);
  return batch;
}

std::vector<GraphItem> to_device(std::vector<GraphItem> graphs, at::Device device) {
  for (auto& graph : graphs)
    for (auto* part : {&graph.x, &graph.y, &graph.edges, &graph.adjacency}) *part = part->to(device);
  return graphs;
}

}  // namespace

BatchLoader::BatchLoader(LoadPlan plan) : plan_(std::move(plan)) {
  if (plan_.workers == 0 || plan_.kind == Workers::threads) return;
  // A row is measured on two sets, each with workers of its own.
  const auto graphs = static_cast<std::size_t>(plan_.graphs);
  require_memory(2 * ProcessFeed::slot_bytes(*plan_.dataset, plan_.workers, graphs),
                 "the batches of its worker processes need");
}
BatchLoader::~BatchLoader() = default;

void BatchLoader::begin(const Batches& batches) {
  if (plan_.workers > 0 && plan_.kind == Workers::processes) {
    if (!processes_) processes_ = std::make_unique<ProcessFeed>(plan_.dataset, plan_.workers);
    return processes_->begin(batches);
  }
  threads_.reset();  // before the list that its workers read changes
  batches_ = batches;
  harness::ThreadPlan threads;
  threads.batches = static_cast<std::int64_t>(batches_.size());
  threads.workers = plan_.workers;
  threads.on_start = join_stream(plan_.device);
  threads_ = std::make_unique<harness::ThreadLoader<Batch>>(std::move(threads), [this](std::int64_t index) {
    const auto& numbers = batches_[static_cast<std::size_t>(index)];
    if (plan_.resident) return plan_.resident->batch(numbers);
    auto graphs = fetch_graphs(*plan_.dataset, numbers, plan_.built.get());
    if (plan_.features_stay) return line_up(graphs);
    return join(plan_.graphs_move_alone ? to_device(std::move(graphs), plan_.device) : graphs);
  });
}

std::optional<Batch> BatchLoader::next() {
  auto batch = wait_for_batch();
  if (!batch) return std::nullopt;
  const harness::Range range("h2d");
  return to_device(*std::move(batch), plan_.device);
}

std::optional<Batch> BatchLoader::wait_for_batch() {
  const harness::Range range("data_wait");
  return processes_ ? processes_->next() : threads_->next();
}

}  // namespace workloads::stgym
