// Streams in capture: what they are given becomes nodes of a graph.
#include "stand_in/runtime/capture.hpp"

#include "stand_in/runtime/device.hpp"
#include "stand_in/runtime/event.hpp"
#include "stand_in/runtime/machine.hpp"

#include <algorithm>

namespace stand_in {
namespace {

/// Spoils the capture; returns why the call is refused.
cudaError_t spoil(Capture& capture, cudaError_t why) {
  capture.invalid = true;
  return why;
}

}  // namespace

cudaError_t Captures::begin(const std::shared_ptr<Stream>& stream, cudaStreamCaptureMode mode) {
  if (stream == machine().device(stream->device).legacy()) return cudaErrorStreamCaptureUnsupported;
  const std::lock_guard lock(mutex_);
  if (stream->capture != nullptr) return cudaErrorIllegalState;
  auto capture = std::make_unique<Capture>();
  capture->id = ++ids_;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = stream;
  capture->ends[stream];
  stream->capture = capture.get();
  under_way_.push_back(std::move(capture));
  return cudaSuccess;
}

cudaError_t Captures::end(const std::shared_ptr<Stream>& stream, cudaGraph_t* graph) {
  *graph = nullptr;
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find_if(under_way_, [&](const auto& capture) { return capture.get() == stream->capture; });
  if (found == under_way_.end()) return cudaErrorIllegalState;
  auto& capture = **found;
  if (capture.origin != stream) return spoil(capture, cudaErrorStreamCaptureUnmatched);
  const bool free_of_threads = capture.mode == cudaStreamCaptureModeRelaxed;
  if (!free_of_threads && capture.thread != std::this_thread::get_id())
    return cudaErrorStreamCaptureWrongThread;
  const bool joined = capture.graph->all_lead_to(capture.ends[stream]);
  for (const auto& [member, ends] : capture.ends) member->capture = nullptr;
  auto status = capture.invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  if (status == cudaSuccess && !joined) status = cudaErrorStreamCaptureUnjoined;
  if (status == cudaSuccess) {
    *graph = reinterpret_cast<cudaGraph_t>(capture.graph.get());
    graphs_[*graph] = capture.graph;
  }
  under_way_.erase(found);
  return status;
}

CaptureInfo Captures::info(const std::shared_ptr<Stream>& stream) {
  const std::lock_guard lock(mutex_);
  auto* capture = stream->capture;
  if (capture == nullptr) return {};
  if (capture->invalid) return {.status = cudaStreamCaptureStatusInvalidated};
  capture->handles.clear();
  for (const auto index : capture->ends[stream])
    capture->handles.push_back(reinterpret_cast<cudaGraphNode_t>(&capture->graph->nodes[index]));
  return {.status = cudaStreamCaptureStatusActive,
          .id = capture->id,
          .graph = reinterpret_cast<cudaGraph_t>(capture->graph.get()),
          .after = capture->handles.data(),
          .count = capture->handles.size()};
}

std::optional<cudaError_t> Captures::add(const std::shared_ptr<Stream>& stream, const Command& command,
                                         std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  auto* capture = stream->capture;
  if (capture == nullptr) return std::nullopt;
  if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
  auto& nodes = capture->graph->nodes;
  auto& ends = capture->ends[stream];
  nodes.push_back({command, std::move(work), ends, nodes.size(), &nodes});
  ends = {nodes.size() - 1};
  return cudaSuccess;
}

std::optional<cudaError_t> Captures::record(const std::shared_ptr<Stream>& stream, Event& event) {
  const std::lock_guard lock(mutex_);
  const std::lock_guard event_lock(event.mutex);
  auto* capture = stream->capture;
  event.capture = 0;
  if (capture == nullptr) return std::nullopt;
  if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
  event.recording = nullptr;
  event.capture = capture->id;
  event.after = capture->ends[stream];
  return cudaSuccess;
}

std::optional<cudaError_t> Captures::wait(const std::shared_ptr<Stream>& stream, Event& event,
                                          bool external) {
  const std::lock_guard lock(mutex_);
  const std::lock_guard event_lock(event.mutex);
  auto* own = stream->capture;
  if (event.capture == 0) {
    if (own == nullptr || external || !event.recording) return std::nullopt;
    return spoil(*own, cudaErrorStreamCaptureIsolation);
  }
  const auto found =
      std::ranges::find_if(under_way_, [&](const auto& capture) { return capture->id == event.capture; });
  if (found == under_way_.end()) return cudaErrorCapturedEvent;
  auto& capture = **found;
  if (capture.invalid) return cudaErrorStreamCaptureInvalidated;
  if (own != nullptr && own != &capture) {
    own->invalid = true;
    return spoil(capture, cudaErrorStreamCaptureMerge);
  }
  if (stream == machine().device(stream->device).legacy())
    return spoil(capture, cudaErrorStreamCaptureImplicit);
  stream->capture = &capture;
  capture.ends[stream].insert(event.after.begin(), event.after.end());
  return cudaSuccess;
}

}  // namespace stand_in
