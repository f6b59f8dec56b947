#include "harness/libtorch/torch_graph.hpp"

#include "harness/cuda/check.hpp"

#include <ATen/Context.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <exception>

namespace harness::inline libtorch {
namespace {

/// Runs what may only repeat a failure that is known already.
template <class Call>
bool succeeds(const Call& call) {
  try {
    call();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

/// Memory that is only cached makes an allocation fail inside of a capture, since none is given back there. A
/// rehearsal has needed no more than the allocator holds now; where as much is left, the cache stays, and
/// whoever works on asks the driver for nothing.
bool is_short_of_memory() {
  namespace caching = c10::cuda::CUDACachingAllocator;
  const auto device = c10::cuda::current_device();
  const auto held = static_cast<double>(caching::getDeviceStats(device).reserved_bytes[0].current);
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  const auto allowed = caching::getMemoryFraction(device) * static_cast<double>(total) - held;
  return std::min(static_cast<double>(free), allowed) < held;
}

/// One capture. CUDAGraph::capture_end() throws before it has told allocator and generator of the end where
/// the stream's capture was invalidated, and its destructor releases the pool only of a capture that has
/// ended.
class Capture {
 public:
  Capture(at::cuda::CUDAGraph& graph, c10::MempoolId_t pool) : graph_(graph), pool_(pool) {}

  void begin() {
    if (is_short_of_memory()) c10::cuda::CUDACachingAllocator::emptyCache();
    graph_.capture_begin(pool_, cudaStreamCaptureModeThreadLocal);
  }
  void end() { graph_.capture_end(); }

  /// Sets back what a failed begin() or end() left as in a capture.
  void give_up() {
    const auto stream = c10::cuda::getCurrentCUDAStream();
    auto status = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone) {
      cudaGraph_t left = nullptr;
      cudaStreamEndCapture(stream, &left);
      if (left != nullptr) report(cudaGraphDestroy(left));
    }
    cudaGetLastError();
    namespace allocator = c10::cuda::CUDACachingAllocator;
    const bool releases_itself = succeeds([&] { graph_.pool(); });
    if (!releases_itself) {
      const bool was_begun = succeeds([&] { allocator::endAllocateToPool(stream.device_index(), pool_); });
      if (was_begun) allocator::releasePool(stream.device_index(), pool_);
    }
    generator_.graphsafe_set_state(state_);
  }

 private:
  at::cuda::CUDAGraph& graph_;
  c10::MempoolId_t pool_;
  at::Generator generator_ = at::globalContext().defaultGenerator(at::kCUDA);
  at::Generator state_ = generator_.clone();  // of the same seed and offset, and in no capture
};

}  // namespace

std::unique_ptr<at::cuda::CUDAGraph> captured(const std::function<void()>& work,
                                              const std::function<void()>& rehearse, c10::MempoolId_t pool) {
  constexpr int warm_up = 3;
  if (rehearse) rehearse();
  for (int i = 0; i < warm_up && !rehearse; ++i) work();
  check(cudaDeviceSynchronize());
  auto graph = std::make_unique<at::cuda::CUDAGraph>();
  Capture capture(*graph, pool);
  std::exception_ptr first;
  try {
    capture.begin();
    try {
      work();
    } catch (...) {
      first = std::current_exception();
    }
    capture.end();
  } catch (...) {
    if (!first) first = std::current_exception();
    capture.give_up();
  }
  if (first) std::rethrow_exception(first);
  return graph;
}

}  // namespace harness::inline libtorch
