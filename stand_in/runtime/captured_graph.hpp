// Graphs: commands that a capture notes down, and the captures under way.
#pragma once

#include "stand_in/runtime.hpp"
#include "stand_in/runtime/device_stream.hpp"

#include <map>
#include <optional>
#include <thread>

namespace stand_in {

/// A command of a graph, and the nodes that must have ended before it.
struct Node {
  Command command;
  std::function<void()> work;
  std::set<std::size_t> after;
  std::size_t index = 0;
  const std::deque<Node>* nodes = nullptr;  // of its graph
};

/// What a capture noted down. Nodes keep their addresses: these are their handles.
struct Graph {
  std::deque<Node> nodes;

  /// Whether each node is among `ends` or before one of them.
  bool all_lead_to(const std::set<std::size_t>& ends) const;
  /// The nodes in an order that their dependencies allow: as captured, or any, by the seed.
  std::vector<const Node*> ordered(std::optional<std::uint64_t> seed) const;
};

/// A graph made ready to run; one launch of it runs at a time.
struct GraphExec {
  std::vector<Node> nodes;
  std::mutex mutex;
};

struct Event;

/// A capture under way: the streams in it, and which nodes the next command of each follows.
struct Capture {
  std::uint64_t id = 0;
  cudaStreamCaptureMode mode{};
  std::thread::id thread;
  std::shared_ptr<Stream> origin;
  bool invalid = false;
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  std::map<std::shared_ptr<Stream>, std::set<std::size_t>> ends;
  std::vector<cudaGraphNode_t> handles;  // what cudaStreamGetCaptureInfo pointed to last
};

/// What a stream's capture tells who asks.
struct CaptureInfo {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  std::uint64_t id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* after = nullptr;
  std::size_t count = 0;
};

/// Captures under way, and the graphs that came of captures.
class Captures {
 public:
  explicit Captures(std::optional<std::uint64_t> seed) : seed_(seed) {}

  cudaError_t begin(const std::shared_ptr<Stream>& stream, cudaStreamCaptureMode mode);
  cudaError_t end(const std::shared_ptr<Stream>& stream, cudaGraph_t* graph);
  CaptureInfo info(const std::shared_ptr<Stream>& stream);

  /// Nothing if the stream is in no capture; else whether the command became a node.
  std::optional<cudaError_t> add(const std::shared_ptr<Stream>& stream, const Command& command,
                                 std::function<void()> work);
  /// Nothing if the stream is in no capture; else the event stands for the stream's place in it.
  std::optional<cudaError_t> record(const std::shared_ptr<Stream>& stream, Event& event);
  /// Nothing if neither is in a capture; else the stream has joined the event's.
  std::optional<cudaError_t> wait(const std::shared_ptr<Stream>& stream, Event& event, bool external);

  /// The stream, where it is in a capture, was asked for what a capture forbids: the capture is spoilt.
  cudaError_t refuse(const std::shared_ptr<Stream>& stream);
  /// As refuse, by the capture's number.
  void refuse_number(std::uint64_t id);
  /// A call that waits for a whole device spoils the captures on it.
  cudaError_t refuse_on(int device);
  /// A call that is unsafe while some capture is under way that this thread must mind.
  cudaError_t refuse_unsafe();
  /// Work for the legacy stream, which would wait for a blocking stream in capture.
  cudaError_t refuse_legacy(int device);
  /// Whether asking the legacy stream for its state is refused; this spoils nothing.
  bool blocks_legacy(int device);
  bool has_one_of_this_thread();

  std::shared_ptr<Graph> graph(cudaGraph_t handle);
  bool remove(cudaGraph_t handle);
  std::shared_ptr<GraphExec> instantiate(const Graph& graph);
  std::shared_ptr<GraphExec> exec(cudaGraphExec_t handle);
  bool remove(cudaGraphExec_t handle);

 private:
  std::mutex mutex_;
  std::optional<std::uint64_t> seed_;
  std::uint64_t ids_ = 0;
  std::vector<std::unique_ptr<Capture>> under_way_;
  std::map<cudaGraph_t, std::shared_ptr<Graph>> graphs_;
  std::map<cudaGraphExec_t, std::shared_ptr<GraphExec>> execs_;
};

}  // namespace stand_in
