// Captures begun and ended, and the graphs that come of them.
#include "stand_in/runtime/api.hpp"
#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/submit.hpp"

#include <algorithm>

using namespace stand_in;

namespace {

template <class Body>
cudaError_t on_stream(const char* name, cudaStream_t handle, const Body& body) {
  return run({.name = name}, [&] {
    const auto stream = machine().stream(handle);
    return stream ? body(stream) : cudaErrorInvalidResourceHandle;
  });
}

cudaGraphNodeType type_of(const Node& node) {
  if (node.command.what == "memcpy") return cudaGraphNodeTypeMemcpy;
  if (node.command.what == "memset") return cudaGraphNodeTypeMemset;
  if (node.command.what == "host") return cudaGraphNodeTypeHost;
  if (node.command.what == "event") return cudaGraphNodeTypeEventRecord;
  if (node.command.what == "wait") return cudaGraphNodeTypeWaitEvent;
  if (node.command.what == "graph") return cudaGraphNodeTypeGraph;
  return cudaGraphNodeTypeKernel;
}

cudaGraphNode_t handle_of(const Node& node) {
  return reinterpret_cast<cudaGraphNode_t>(const_cast<Node*>(&node));
}

/// Fills at most `*count` handles and says how many there are; the rest of the room is null.
cudaError_t list(const std::vector<cudaGraphNode_t>& all, cudaGraphNode_t* out, std::size_t* count) {
  if (out != nullptr) {
    std::fill_n(out, *count, nullptr);
    std::copy_n(all.begin(), std::min(*count, all.size()), out);
    *count = std::min(*count, all.size());
  } else {
    *count = all.size();
  }
  return cudaSuccess;
}

/// What a launch runs, behind the last launch of the same graph.
void run_nodes(const GraphExec& exec) {
  const auto* outer = this_thread().running;
  for (const auto& node : exec.nodes) {
    this_thread().running = node.command.name.empty() ? &node.command.what : &node.command.name;
    node.work();
  }
  this_thread().running = outer;
}

void record_nodes(const GraphExec& exec, const Stream& stream) {
  for (const auto& node : exec.nodes) {
    auto command = node.command;
    command.what = "node " + command.what;
    machine().record.add(command, stream.id, stream.device);
    machine().calls.node(node, stream);
  }
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return on_stream("cudaStreamBeginCapture", handle,
                   [&](const auto& stream) { return machine().captures.begin(stream, mode); });
}
cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* out) {
  return on_stream("cudaStreamEndCapture", handle,
                   [&](const auto& stream) { return machine().captures.end(stream, out); });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* out) {
  return on_stream("cudaStreamIsCapturing", handle, [&](const auto& stream) {
    const bool legacy = machine().device(stream->device).legacy() == stream;
    *out = machine().captures.info(stream).status;
    return legacy && machine().captures.blocks_legacy(stream->device) ? cudaErrorStreamCaptureImplicit
                                                                      : cudaSuccess;
  });
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** after, const cudaGraphEdgeData** edges,
                                     std::size_t* count) {
  return on_stream("cudaStreamGetCaptureInfo", handle, [&](const auto& stream) {
    const auto info = machine().captures.info(stream);
    *status = info.status;
    if (id != nullptr) *id = info.id;
    if (graph != nullptr) *graph = info.graph;
    if (after != nullptr) *after = info.after;
    if (edges != nullptr) *edges = nullptr;
    if (count != nullptr) *count = info.count;
    return cudaSuccess;
  });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  std::swap(*mode, this_thread().mode);
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* out, std::size_t* count) {
  return run({.name = "cudaGraphGetNodes"}, [&] {
    const auto graph = machine().captures.graph(handle);
    if (!graph) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> all;
    for (const auto& node : graph->nodes) all.push_back(handle_of(node));
    return list(all, out, count);
  });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* out) {
  return run({.name = "cudaGraphNodeGetType"}, [&] {
    *out = type_of(*reinterpret_cast<const Node*>(node));
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* out, cudaGraphEdgeData*,
                                         std::size_t* count) {
  return run({.name = "cudaGraphNodeGetDependencies"}, [&] {
    const auto& node = *reinterpret_cast<const Node*>(handle);
    std::vector<cudaGraphNode_t> all;
    for (const auto index : node.after) all.push_back(handle_of((*node.nodes)[index]));
    return list(all, out, count);
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  return run({.name = "cudaGraphDestroy"},
             [&] { return machine().captures.remove(handle) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t handle, unsigned long long) {
  const Call call{.name = "cudaGraphInstantiate", .refusal = cudaErrorMemoryAllocation, .unpriced = true};
  return run(call, [&] {
    const auto graph = machine().captures.graph(handle);
    if (!graph) return cudaErrorInvalidValue;
    *out = reinterpret_cast<cudaGraphExec_t>(machine().captures.instantiate(*graph).get());
    return cudaSuccess;
  });
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiate(out, graph, flags);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return run({.name = "cudaGraphExecDestroy"},
             [&] { return machine().captures.remove(handle) ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t on) {
  return on_stream("cudaGraphUpload", on, [&](const auto& stream) {
    if (!machine().captures.exec(handle)) return cudaErrorInvalidValue;
    return give(stream, {.command = {.what = "upload", .name = "graph upload"}}, [] {});
  });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t on) {
  return on_stream("cudaGraphLaunch", on, [&](const auto& stream) {
    const auto exec = machine().captures.exec(handle);
    if (!exec) return cudaErrorInvalidValue;
    const Order order{.command = {.what = "graph", .name = std::to_string(exec->nodes.size()) + " nodes"}};
    record_nodes(*exec, *stream);
    // One launch of a graph follows the other, whatever their streams.
    return give(stream, order, [exec] {
      const std::lock_guard lock(exec->mutex);
      run_nodes(*exec);
    });
  });
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t, const char*, unsigned) { return cudaSuccess; }
