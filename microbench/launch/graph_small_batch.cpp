// Capture a training step into a graph: much for small batches, nothing for large ones.
//
// Question: Up to which batch does a graph make a training step of this network faster on your machine?
//
// A step of a small network is a dozen kernels or some more (fifteen operators here). With few examples each
// of them takes microseconds, about as long as the host needs to queue it through LibTorch, so that the step
// takes as long as the host does. A graph of the whole step (forward, backward and update) leaves the host
// one call, and the device is busy without a gap. With more examples the kernels grow and the host's share
// does not: from some batch size on the host is ahead without any graph, and there is nothing left to gain.
//
// What it costs: one shape, one set of addresses (the results live in memory of the graph's own), no reading
// of numbers in between, and a batch that is copied to its place. When it does not matter: with large batches
// or wide layers, which the sweep shows, and on a host fast enough for its device.
//
// A row measures one step of gradient descent, written out, of a network 512 - 512 - 128 with squared error:
// eager, and as a graph that was captured before. The clock is the device's, and nothing waits for it
// between steps. What the calls of a step cost the host stands beside the times. The weights go on learning
// from run to run; the work of a step does not depend on them.
//
// Answer: Up to the batch at which the device takes as long for the step as the host takes to queue its
// fifteen operators; beyond it the two lines of the sweep meet. A faster device or a slower host moves that
// batch up.

#include "harness/libtorch/torch_graph.hpp"

#include "microbench/host_time.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::launch_graph_small_batch {

constexpr Axis axes[] = {{.name = "batch",
                          .about = "examples in each step",
                          .values = {1, 16, 64, 256, 1024, 4096, 16384},
                          .quick = {1}}};
constexpr std::int64_t inputs = 512;
constexpr std::int64_t hidden = 512;
constexpr std::int64_t outputs = 128;
constexpr double rate = 0.1;

struct State {
  State(const Setup& setup, std::int64_t batch)
      : first(normal_values(setup, {inputs, hidden}).mul_(0.03)),
        second(normal_values(setup, {hidden, outputs}, 1).mul_(0.03)),
        w1(first.clone()),
        w2(second.clone()),
        b1(at::zeros({hidden}, floats_on(setup.device))),
        b2(at::zeros({outputs}, floats_on(setup.device))),
        x(normal_values(setup, {batch, inputs}, 2)),
        target(normal_values(setup, {batch, outputs}, 3)) {}

  at::Tensor first, second;  // the weights to start from
  at::Tensor w1, w2, b1, b2, x, target;
  std::unique_ptr<at::cuda::CUDAGraph> graph;

  void start_again() const {
    w1.copy_(first);
    w2.copy_(second);
    b1.zero_();
    b2.zero_();
  }
  void step() const {
    const auto h = at::relu(at::addmm(b1, x, w1));
    const auto of_outputs = (at::addmm(b2, h, w2) - target) * (2.0 / static_cast<double>(target.numel()));
    const auto of_hidden = at::threshold_backward(at::mm(of_outputs, w2.t()), h, 0);
    w2.sub_(at::mm(h.t(), of_outputs), rate);
    b2.sub_(of_outputs.sum(0), rate);
    w1.sub_(at::mm(x.t(), of_hidden), rate);
    b1.sub_(of_hidden.sum(0), rate);
  }
};

Trial prepare(Setup& setup, const Point& point) {
  const auto batch = point["batch"];
  require_device_memory(8 * sizeof(float) * static_cast<std::size_t>((batch + hidden) * hidden));
  const auto s = std::make_shared<State>(setup, batch);
  s->graph = captured([s] { s->step(); });
  const auto naive = [s] { s->step(); };
  const auto optimized = [s] { s->graph->replay(); };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->start_again(); },
      // How far the weights have come: the weights themselves would hide a step that was left out.
      .answer = [s](Form) { return numbers_of(at::cat({(s->w1 - s->first).flatten(), s->b2})); },
      .answer_runs = 3,
      .figures = [naive, optimized]() -> std::vector<Figure> { return {host_kept(naive, optimized)}; },
      .timer = Timer::event,
  };
}

extern constexpr Step step = checked({
    .id = "launch/graph_small_batch",
    .claim =
        "A training step captured into a graph gains most with small batches, and ever less with larger.",
    .claim_ids = "graph-small-batch",
    .sides = {"eager", "graph"},
    .source = {.title = "Accelerating PyTorch with CUDA Graphs",
               .url = "https://pytorch.org/blog/accelerating-pytorch-with-cuda-graphs/",
               .where = "the figures on batch size and on Mask R-CNN"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "batch:1"},
    .tolerance = {.relative = 1e-3, .why = "differences of nearly equal weights keep few of their digits"},
    .delta = 0.02,
});

}  // namespace microbench::launch_graph_small_batch
