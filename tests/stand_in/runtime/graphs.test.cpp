// CUDA Runtime API, Graph Management.
#include "tests/stand_in/runtime/probe.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace {

using namespace stand_in::probe;

/// Captures what `work` queues on the stream; destroyed with this.
class Captured {
 public:
  template <class Work>
  Captured(cudaStream_t stream, const Work& work) {
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    work();
    REQUIRE(cudaStreamEndCapture(stream, &graph_) == cudaSuccess);
    REQUIRE(cudaGraphInstantiate(&exec_, graph_, 0) == cudaSuccess);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  ~Captured() {
    cudaGraphExecDestroy(exec_);
    cudaGraphDestroy(graph_);
  }
  std::vector<cudaGraphNode_t> nodes() const {
    std::size_t count = 0;
    REQUIRE(cudaGraphGetNodes(graph_, nullptr, &count) == cudaSuccess);
    std::vector<cudaGraphNode_t> all(count);
    REQUIRE(cudaGraphGetNodes(graph_, all.data(), &count) == cudaSuccess);
    return all;
  }
  cudaGraphExec_t exec() const { return exec_; }

 private:
  cudaGraph_t graph_{};
  cudaGraphExec_t exec_{};
};

TEST_CASE("captured work runs with each launch and not before", "[graphs]") {
  // cudaStreamBeginCapture: "all operations pushed into the stream will not be executed, but will instead be
  // captured".
  const Stream stream;
  int ran = 0;
  const Captured graph(stream, [&] { launch(stream, [&] { ++ran; }); });
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(ran == 0);
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(graph.exec(), stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(ran == 3);
}

TEST_CASE("nodes have the type of what was captured and the edges of their streams", "[graphs]") {
  const Stream stream;
  const Stream fork;
  const Event forked;
  const Event joined;
  const Memory memory(64);
  const Pinned pinned(64);
  const Captured graph(stream, [&] {
    cudaMemsetAsync(memory.data(), 1, 64, stream);
    cudaEventRecord(forked, stream);
    cudaStreamWaitEvent(fork, forked, 0);
    launch(fork, [] {});
    cudaMemcpyAsync(pinned.data(), memory.data(), 64, cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(joined, fork);
    cudaStreamWaitEvent(stream, joined, 0);
    launch(stream, [] {});
  });
  const auto nodes = graph.nodes();
  REQUIRE(nodes.size() == 4);  // events within a capture are edges
  const cudaGraphNodeType types[] = {cudaGraphNodeTypeMemset, cudaGraphNodeTypeKernel,
                                     cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeKernel};
  const std::size_t edges[] = {0, 1, 1, 2};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    cudaGraphNodeType type{};
    std::size_t count = 0;
    CHECK(cudaGraphNodeGetType(nodes[i], &type) == cudaSuccess);
    CHECK(type == types[i]);
    CHECK(cudaGraphNodeGetDependencies(nodes[i], nullptr, nullptr, &count) == cudaSuccess);
    CHECK(count == edges[i]);
  }
}

TEST_CASE("launches of one graph follow each other on different streams", "[graphs]") {
  // cudaGraphLaunch: "Only one instance of graphExec may be executing at a time."
  const Stream first;
  const Stream second;
  int running = 0;
  int most = 0;
  const Captured graph(first, [&] {
    launch(first, [&] { most = std::max(most, ++running); });
    launch(first, [&] { --running; });
  });
  for (int i = 0; i < 20; ++i) {
    CHECK(cudaGraphLaunch(graph.exec(), first) == cudaSuccess);
    CHECK(cudaGraphLaunch(graph.exec(), second) == cudaSuccess);
  }
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(most == 1);
}

TEST_CASE("an external event is recorded by each launch", "[graphs]") {
  // cudaEventRecordWithFlags: "cudaEventRecordExternal: Event is captured in the graph as an external event
  // node".
  const Stream stream;
  const Event event;
  const Captured graph(stream, [&] {
    launch(stream, [] {});
    cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal);
  });
  CHECK(graph.nodes().size() == 2);
  CHECK(cudaGraphLaunch(graph.exec(), stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaEventQuery(event) == cudaSuccess);
}

TEST_CASE("the runtime refuses a graph that was destroyed", "[graphs]") {
  const Stream stream;
  cudaGraph_t graph{};
  cudaGraphExec_t exec{};
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaErrorInvalidValue);
  CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaErrorInvalidValue);
  cudaGetLastError();
}

}  // namespace
