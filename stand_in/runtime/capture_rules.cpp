// What may not be done while a capture is under way, and the graphs that came of captures.
#include "stand_in/runtime/capture.hpp"
#include "stand_in/runtime/thread_state.hpp"

#include <algorithm>

namespace stand_in {
namespace {

bool is_on(const Capture& capture, int device, bool blocking_only) {
  return std::ranges::any_of(capture.ends, [&](const auto& end) {
    return end.first->device == device && (!blocking_only || end.first->is_blocking());
  });
}

/// Whether a call of this thread that is unsafe in general must mind the capture.
bool must_mind(const Capture& capture) {
  const auto mode = this_thread().mode;
  if (mode == cudaStreamCaptureModeRelaxed || capture.mode == cudaStreamCaptureModeRelaxed) return false;
  if (capture.thread == std::this_thread::get_id()) return true;
  return mode == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal;
}

}  // namespace

cudaError_t Captures::refuse(const std::shared_ptr<Stream>& stream) {
  const std::lock_guard lock(mutex_);
  if (stream->capture == nullptr) return cudaSuccess;
  stream->capture->invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

void Captures::refuse_number(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  for (const auto& capture : under_way_)
    if (capture->id == id) capture->invalid = true;
}

cudaError_t Captures::refuse_on(int device) {
  const std::lock_guard lock(mutex_);
  auto status = cudaSuccess;
  for (const auto& capture : under_way_)
    if (is_on(*capture, device, false)) {
      capture->invalid = true;
      status = cudaErrorStreamCaptureUnsupported;
    }
  return status;
}

cudaError_t Captures::refuse_unsafe() {
  const std::lock_guard lock(mutex_);
  auto status = cudaSuccess;
  for (const auto& capture : under_way_)
    if (must_mind(*capture)) {
      capture->invalid = true;
      status = cudaErrorStreamCaptureUnsupported;
    }
  return status;
}

cudaError_t Captures::refuse_legacy(int device) {
  const std::lock_guard lock(mutex_);
  auto status = cudaSuccess;
  for (const auto& capture : under_way_)
    if (is_on(*capture, device, true)) {
      capture->invalid = true;
      status = cudaErrorStreamCaptureImplicit;
    }
  return status;
}

bool Captures::blocks_legacy(int device) {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(under_way_, [&](const auto& capture) { return is_on(*capture, device, true); });
}

bool Captures::has_one_of_this_thread() {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(
      under_way_, [](const auto& capture) { return capture->thread == std::this_thread::get_id(); });
}

std::shared_ptr<Graph> Captures::graph(cudaGraph_t handle) {
  const std::lock_guard lock(mutex_);
  if (const auto found = graphs_.find(handle); found != graphs_.end()) return found->second;
  for (const auto& capture : under_way_)
    if (reinterpret_cast<cudaGraph_t>(capture->graph.get()) == handle) return capture->graph;
  return nullptr;
}

bool Captures::remove(cudaGraph_t handle) {
  const std::lock_guard lock(mutex_);
  return graphs_.erase(handle) == 1;
}

std::shared_ptr<GraphExec> Captures::instantiate(const Graph& graph) {
  auto exec = std::make_shared<GraphExec>();
  for (const auto* node : graph.ordered(seed_)) exec->nodes.push_back(*node);
  const std::lock_guard lock(mutex_);
  execs_[reinterpret_cast<cudaGraphExec_t>(exec.get())] = exec;
  return exec;
}

std::shared_ptr<GraphExec> Captures::exec(cudaGraphExec_t handle) {
  const std::lock_guard lock(mutex_);
  const auto found = execs_.find(handle);
  return found == execs_.end() ? nullptr : found->second;
}

bool Captures::remove(cudaGraphExec_t handle) {
  const std::lock_guard lock(mutex_);
  return execs_.erase(handle) == 1;
}

}  // namespace stand_in
