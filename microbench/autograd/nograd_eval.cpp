// Switch autograd off where you need no gradient: validation, inference.
//
// Question: No backward pass follows a forward pass. How much of its time and of its peak memory goes into
// recording for autograd?
//
// As long as a parameter requires a gradient, each operator notes how its backward pass will go: it makes a
// node, joins it to the nodes before it, and keeps what the pass would need. No backward pass will run, but
// the operator does not know that. The price on the host is a few allocations per operator; the price in
// memory is that every layer's output lives until the last one is dropped. Without recording, two outputs at
// a time are enough. `with torch.no_grad():` (in C++ NoGradGuard) switches the recording off.
//
// When it does not matter for time: where the device is busy long after the host has queued everything (with
// large batches; the axis `batch` leads to them), since the recording is the host's work. It saves the memory
// in any case: the peaks stand beside the times. Modules have a second switch, eval(), for dropout and batch
// norm; it saves none of this.
//
// A run is the forward pass of `layers` layers, 64 wide. The graph of the first side is dropped in the same
// run, as a loop over batches drops each batch's when it goes on to the next.
//
// Answer: For time, what the host spends on a node for each operator: visible with small batches, hidden on
// a device that is busy. For memory, all layers' outputs but two: the deeper the network, the more. Both
// grow with the number of operators, not with the arithmetic.

#include "microbench/autograd/autograd_layers.hpp"
#include "microbench/tip.hpp"

#include <c10/core/GradMode.h>

namespace microbench::autograd_nograd_eval {

constexpr std::int64_t batches[] = {16, 4096};
constexpr Axis axes[] = {{.name = "layers", .about = "a product and a nonlinearity each", .values = {8, 64}},
                         {.name = "batch", .about = "rows of input", .values = batches}};
constexpr std::int64_t width = 64;

struct State {
  State(const Setup& setup, const Point& point) : layers(setup, point["layers"], width, point["batch"]) {}
  void evaluate() { out = apply_layers(layers.input, layers.weights).detach(); }
  Layers layers;
  at::Tensor out;
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["batch"] == batches[0];
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup, point);

  const auto naive = [s] { s->evaluate(); };
  const auto optimized = [s] {
    const c10::NoGradGuard off;
    s->evaluate();
  };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->out = at::full_like(s->layers.input, -1); },
      .answer = [s](Form) { return numbers_of(s->out); },
      .figures = [s, naive, optimized] { return peak_figures(naive, optimized, [&] { s->out.reset(); }); },
  };
}

extern constexpr Step step = checked({
    .id = "autograd/nograd_eval",
    .claim = "Without gradients a forward pass is faster and needs less memory.",
    .claim_ids = "grad-nograd-eval",
    .sides = {"gradients on", "no_grad"},
    .source = tuning_guide("Disable gradient calculation for validation or inference"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation =
        {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps, .about = "batch:16"},
    .tolerance = {.relative = 1e-5, .why = "the library may choose its kernel by the alignment of addresses"},
});

}  // namespace microbench::autograd_nograd_eval
