#include "workloads/stgym/loading.hpp"

#include "workloads/stgym/evaluate.hpp"
#include "workloads/stgym/fetch.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>

#include <functional>

namespace workloads::stgym {
namespace {

/// What a loader thread does first: a thread starts with the default stream as its current one.
std::function<void()> join_stream(at::Device device) {
  if (!device.is_cuda()) return {};
  return
      [stream = c10::cuda::getCurrentCUDAStream(device.index())] { c10::cuda::setCurrentCUDAStream(stream); };
}

}  // namespace

std::unique_ptr<harness::ThreadLoader<Batch>> load(const Pass& pass) {
  harness::ThreadPlan plan;
  plan.batches = static_cast<std::int64_t>(pass.batches.size());
  plan.workers = pass.workers;
  plan.on_start = join_stream(pass.dataset.x.device());
  return std::make_unique<harness::ThreadLoader<Batch>>(std::move(plan), [&pass](std::int64_t index) {
    return fetch_batch(pass.dataset, pass.batches[static_cast<std::size_t>(index)]);
  });
}

}  // namespace workloads::stgym
