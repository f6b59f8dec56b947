// Capture the part of a step that never changes, and leave the rest to LibTorch.
//
// Question: The loss looks at another number of rows in every step, so the step cannot be captured. What is
// left of a graph's gain if only the layers before the loss are captured?
//
// A graph needs fixed shapes and no waits. A loss over the rows that a mask picks has neither: its shape
// depends on data, and the host must wait to learn it. But what comes before, usually most of the network,
// has fixed shapes. Two graphs, one of the forward and one of the backward pass of those layers, are wrapped
// in an autograd function: forward copies the input in and replays, backward copies the gradient in and
// replays. Python has `torch.cuda.make_graphed_callables` for this; in C++ it is the forty lines below.
//
// What it costs: a copy of input and gradient, memory that the graphs keep, and one shape. When it does not
// matter: with large batches, where the host is ahead of the device anyway (`batch:16384`), and where the
// dynamic part takes most of the step.
//
// A row measures forward, loss over the picked rows, and backward. Both sides run the same products in the
// same order. What the calls cost the host stands beside the times; the wait for the mask is part of it.
//
// Answer: The part of the step that went into launching the captured layers. With batch 64 that is most of
// the host's time; the loss and the copies of input and gradient stay. The published gain of a captured
// backbone is a factor of 1.7 in all.

#include "microbench/autograd/autograd_layers.hpp"
#include "microbench/host_time.hpp"
#include "microbench/launch/capture_scene.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

#include <torch/csrc/autograd/custom_function.h>

namespace microbench::launch_graph_partial {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t depth = 12;
constexpr std::int64_t width = 128;
constexpr Axis axes[] = {{.name = "batch", .about = "rows of the input", .values = {64, 1024, 16384}}};

/// The graphs as one node of autograd's.
struct Replay : torch::autograd::Function<Replay> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& /*weights*/,
                            GraphedLayers* layers) {
    context->saved_data["layers"] = reinterpret_cast<std::int64_t>(layers);
    layers->input.copy_(x);
    layers->forward->replay();
    return layers->output.alias();
  }
  static variable_list backward(AutogradContext* context, const variable_list& of_output) {
    auto* layers = reinterpret_cast<GraphedLayers*>(context->saved_data["layers"].toInt());
    layers->of_output.copy_(of_output[0]);
    layers->backward->replay();
    return {at::Tensor(), layers->of_weights.clone(), at::Tensor()};
  }
};

struct State {
  State(const Setup& setup, std::int64_t batch)
      : layers(setup, depth, width, batch), picked(normal_values(setup, {batch}, 5).gt(0)), graphed(layers) {}
  /// The dynamic part: how many rows there are, only the device knows.
  void learn(const at::Tensor& output) {
    output.index({picked}).square().mean().backward();
    layers.take_gradient();
  }
  Layers layers;
  at::Tensor picked;
  GraphedLayers graphed;
};

Trial prepare(Setup& setup, const Point& point) {
  require_device_memory(4 * sizeof(float) * depth * static_cast<std::size_t>(point["batch"] * width));
  const auto s = std::make_shared<State>(setup, point["batch"]);
  const auto naive = [s] { s->learn(apply_layers(s->layers.input, s->layers.weights)); };
  const auto optimized = [s] { s->learn(Replay::apply(s->layers.input, s->layers.weights, &s->graphed)); };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear =
          [s] {
            s->layers.clear();
            s->graphed.of_weights.fill_(-7);
          },
      .answer = [s](Form) { return s->layers.answer(); },
      .figures = [naive, optimized]() -> std::vector<Figure> { return {host_kept(naive, optimized)}; },
  };
}

extern constexpr Step step = checked({
    .id = "launch/graph_partial",
    .claim = "Capturing only the static part of a step keeps most of a graph's gain.",
    .claim_ids = "graph-partial",
    .sides = {"eager", "partial graph"},
    .source = {.title = "Accelerating PyTorch with CUDA Graphs",
               .url = "https://pytorch.org/blog/accelerating-pytorch-with-cuda-graphs/",
               .where = "Mask R-CNN, and partial-network capture"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "1.7 times as fast overall with the backbone alone (Mask R-CNN)",
                    .about = "batch:64"},
    .tolerance = {.relative = 1e-4, .why = "the library may choose its kernel by the alignment of addresses"},
});

}  // namespace microbench::launch_graph_partial
