#include "stand_in/runtime/captured_graph.hpp"

#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/machine.hpp"

#include <algorithm>
#include <random>

namespace stand_in {
namespace {

// Streams in capture: what they are given becomes nodes of a graph.

/// Spoils the capture; returns why the call is refused.
cudaError_t spoil(Capture& capture, cudaError_t why) {
  capture.invalid = true;
  return why;
}

// What may not be done while a capture is under way, and the graphs that came of captures.

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

bool Graph::all_lead_to(const std::set<std::size_t>& ends) const {
  auto reached = ends;
  for (std::size_t i = nodes.size(); i-- > 0;)  // a node's number is above those of the nodes before it
    if (reached.contains(i)) reached.insert(nodes[i].after.begin(), nodes[i].after.end());
  return reached.size() == nodes.size();
}

std::vector<const Node*> Graph::ordered(std::optional<std::uint64_t> seed) const {
  std::vector<const Node*> order;
  if (!seed) {
    for (const auto& node : nodes) order.push_back(&node);
    return order;
  }
  std::mt19937_64 random(*seed);
  std::vector<std::size_t> missing;
  std::vector<std::vector<std::size_t>> next(nodes.size());
  std::vector<std::size_t> ready;
  for (const auto& node : nodes) {
    missing.push_back(node.after.size());
    if (node.after.empty()) ready.push_back(node.index);
    for (const auto before : node.after) next[before].push_back(node.index);
  }
  while (!ready.empty()) {
    std::swap(ready[random() % ready.size()], ready.back());
    const auto now = ready.back();
    ready.pop_back();
    order.push_back(&nodes[now]);
    for (const auto after : next[now])
      if (--missing[after] == 0) ready.push_back(after);
  }
  return order;
}

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
