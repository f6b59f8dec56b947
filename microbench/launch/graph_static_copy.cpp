// Copy each batch from the host straight into the graph's input, not through a tensor of its own.
//
// Question: A batch goes to a tensor of its own and then into the graph's input. What does the second copy
// add, at 64 KiB and at 64 MiB?
//
// A captured graph reads the addresses that were captured. A new batch must therefore be copied into the
// tensor that the graph was captured with: giving the variable another tensor changes nothing for the graph,
// which goes on reading the old batch without an error (`launch/graph_frozen_values` shows it). The copy is
// the price of a graph's fixed addresses. A batch that a loader has already brought to the device is copied
// once more; a batch that still lies in pinned memory can go straight to its place.
//
// When it does not matter: mostly. A copy within the device runs at the speed of its memory, many times that
// of the link. With large batches the second copy is therefore a small part of the first; with small ones it
// is one more command in the queue. Nor is it spared where the batch is made on the device, unless whatever
// makes it can write to the graph's input itself.
//
// A row measures the way of one batch from pinned memory through a graph of one kernel: through a new tensor
// on the device, and straight. Times are the device's.
//
// Answer: At 64 KiB one more command in the queue, a few microseconds; at 64 MiB a pass at the speed of the
// device's memory, a few percent of the copy over the link. It seldom matters; what matters is that a new
// tensor alone does not reach the graph.

#include "harness/cuda/graph.hpp"

#include "microbench/short_kernels.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::launch_graph_static_copy {

constexpr Axis axes[] = {{.name = "bytes",
                          .about = "of one batch",
                          .values = {64 << 10, 1 << 20, 16 << 20, 64 << 20},
                          .quick = {1 << 20},
                          .unit = Unit::bytes}};

struct State {
  at::Tensor batch;    // in pinned memory
  at::Tensor in, out;  // of the graph
  std::optional<GraphExec> graph;
  void work(const Stream& stream) const {
    check(queue_scale(out.data_ptr<float>(), in.const_data_ptr<float>(), 2.0F,
                      static_cast<std::size_t>(in.numel()), stream.get()));
  }
};

Trial prepare(Setup& setup, const Point& point) {
  const auto bytes = static_cast<std::size_t>(point["bytes"]);
  const auto& stream = *setup.stream;
  require_device_memory(3 * bytes);
  const auto s = std::make_shared<State>();
  s->in = normal_values(setup, {point["bytes"] / static_cast<std::int64_t>(sizeof(float))});
  s->out = at::empty_like(s->in);
  s->batch = at::empty(s->in.sizes(), at::TensorOptions().dtype(at::kFloat).pinned_memory(true));
  s->batch.copy_(s->in);
  s->work(stream);  // loads the kernel
  s->graph.emplace(Graph(stream, [&] { s->work(stream); }));
  s->graph->upload(stream);

  return {
      .naive =
          [s, &stream] {
            const auto on_device = s->batch.to(s->in.device(), at::kFloat, /*non_blocking=*/true);
            s->in.copy_(on_device);
            s->graph->launch(stream);
          },
      .optimized =
          [s, &stream] {
            s->in.copy_(s->batch, /*non_blocking=*/true);
            s->graph->launch(stream);
          },
      .clear =
          [s] {
            s->in.fill_(-100);
            s->out.fill_(-100);
          },
      .answer = [s](Form) { return numbers_of(s->out); },
      .timer = Timer::event,
      .bytes_moved = bytes,
  };
}

extern constexpr Step step = checked({
    .id = "launch/graph_static_copy",
    .claim = "Copying a batch straight into a graph's input beats the way by a tensor of its own.",
    .claim_ids = "graph-static-copy",
    .sides = {"through a tensor", "straight"},
    .source = cuda_semantics("CUDA Graphs"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .delta = 0.02,
});

}  // namespace microbench::launch_graph_static_copy
