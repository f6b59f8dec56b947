// Recompute intermediate values in the backward kernel, instead of storing and loading them.
//
// Question: A fused chain of sixteen cheap functions needs sixteen values for each derivative. Is it faster
// to load them from memory, or to compute them again from the input?
//
// Checkpoints are known as memory for time: less is kept, and the backward pass works longer. A fused chain
// of pointwise functions gains both. The forward pass must write each kept value and the backward pass must
// read it, and such a kernel waits for memory while its arithmetic units are idle. If the backward kernel
// starts from the chain's input, it does the same arithmetic once more, in registers, and moves three arrays
// in place of eighteen.
//
// When it does not hold: if the functions are expensive (`exp`, `tanh` on a CPU without vector versions), if
// the chain is a single function, and if the arrays lie in a cache, where loading costs about as little as
// computing. Compilers that fuse (torch.compile) make this choice by themselves.
//
// Both sides run a forward and a backward kernel over the same arrays and multiply in the same order, so
// their bits are equal. The host's form runs on one thread.
//
// Answer: Compute them again: the kernel waits for memory, and moving 3 arrays instead of 18 saves far more
// than sixteen cheap functions cost in registers. It turns around where the functions are expensive or the
// arrays lie in a cache.

#include "harness/cuda/stream.hpp"

#include "microbench/autograd/pointwise_chain.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::autograd_recompute_faster {

constexpr std::int64_t on_host = 1 << 20;
constexpr Axis axes[] = {
    {.name = "values", .about = "floats in each array", .values = {1 << 14, on_host, 1 << 24}},
    {.name = "length", .about = "functions in the chain", .values = {4, 16}}};

struct State {
  State(const Setup& setup, std::int64_t n, int length)
      : x(normal_values(setup, {n})),
        of_y(normal_values(setup, {n}, 1)),
        result(at::full({2, n}, -7, x.options())),
        kept(at::empty({length, n}, x.options())),
        stream(setup.stream != nullptr ? setup.stream->get() : nullptr),
        on_device(setup.device.is_cuda()),
        chain{.x = x.const_data_ptr<float>(),
              .of_y = of_y.const_data_ptr<float>(),
              .y = result[0].data_ptr<float>(),
              .of_x = result[1].data_ptr<float>(),
              .kept = kept.data_ptr<float>(),
              .n = static_cast<std::size_t>(n),
              .length = length} {}

  void keep() const { run(chain); }
  void compute_again() const {
    auto bare = chain;
    bare.kept = nullptr;
    run(bare);
  }
  void run(const PointwiseChain& c) const {
    if (!on_device) {
      run_chain_forward(c);
      run_chain_backward(c);
      return;
    }
    check(queue_chain_forward(c, stream));
    check(queue_chain_backward(c, stream));
  }

  at::Tensor x, of_y, result, kept;
  cudaStream_t stream;
  bool on_device;
  PointwiseChain chain;
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["values"] <= on_host;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["values"];
  const auto length = static_cast<int>(point["length"]);
  if (setup.device.is_cuda())
    require_device_memory(sizeof(float) * static_cast<std::size_t>((length + 4) * n));
  const auto s = std::make_shared<State>(setup, n, length);
  return {
      .naive = [s] { s->keep(); },
      .optimized = [s] { s->compute_again(); },
      .clear = [s] { s->result.fill_(-7); },
      .answer = [s](Form) { return numbers_of(s->result); },
      .timer = device_timer(setup.device),
  };
}

extern constexpr Step step = checked({
    .id = "autograd/recompute_faster",
    .claim = "A fused backward pass that computes its input again is faster than one that loads it.",
    .claim_ids = "grad-remat-faster",
    .sides = {"stored", "recomputed"},
    .source = go_brrrr("Bandwidth: fusion and recomputation"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "values:16777216"},
});

}  // namespace microbench::autograd_recompute_faster
