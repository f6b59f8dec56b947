// Give independent branches of small kernels a stream each, so that they share the device.
//
// Question: 16 kernels of one block each, on one stream or on 16: by what factor do they differ, and with
// 2048 blocks each?
//
// A kernel of one block keeps one multiprocessor busy and leaves the others idle. On one stream the next
// kernel still waits, since it might need the result. Branches that do not need each other can say so by
// standing on different streams, and then their kernels run side by side. Autograd remembers the stream of
// each operation and runs its backward there, so that the backward pass gains without a further line of code
// (`pass:both`).
//
// When it does not matter: where a single kernel fills the device (`blocks:2048`), for then the second one
// finds no free place; where kernels are so short that the host cannot queue them as fast as one stream works
// them off. And it costs: an event and a wait for each stream at both ends, and memory, since each stream's
// cached blocks serve that stream alone.
//
// A row measures branches of one kernel each in the forward pass and one in the backward pass, on as many
// streams as there are branches. A kernel of one block takes about 100 us, far more than its launch.
//
// Answer: At one block each up to 16, since a device has more multiprocessors than that and each kernel
// keeps one busy; forks and joins take a part of it. At 2,048 blocks about 1: a single kernel fills the
// device already.

#include "microbench/overlap/delay.hpp"
#include "microbench/overlap/side_streams.hpp"
#include "microbench/overlap/torch_work.hpp"
#include "microbench/tip.hpp"

#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/autograd/autograd.h>

namespace microbench::overlap_concurrent_kernels {

constexpr Axis axes[] = {{.name = "branches", .about = "and in one form as many streams", .values = {4, 16}},
                         {.name = "blocks", .about = "of 256 threads in each kernel", .values = {1, 2048}},
                         {.name = "pass",
                          .about = "forward: no gradients; both: forward and backward",
                          .labels = {"forward", "both"}}};

constexpr double seconds = 100e-6;  // of a kernel

struct State {
  State(std::size_t count, bool with_backward, int on)
      : side(count), both(with_backward), device(static_cast<c10::DeviceIndex>(on)) {}
  /// All branches, the i-th one on the stream `stream_of(i)`.
  template <class StreamOf>
  void run(const StreamOf& stream_of) {
    results.clear();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const c10::cuda::CUDAStreamGuard guard(c10::cuda::getStreamFromExternal(stream_of(i).get(), device));
      results.push_back(WorkLayer::apply(inputs[i], rounds, seconds));
    }
    if (both) results = torch::autograd::grad(results, inputs, seeds);
  }
  SideStreams side;
  bool both;
  c10::DeviceIndex device;
  std::int64_t rounds = 1;
  std::vector<at::Tensor> inputs, seeds, results;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto n = 256 * point["blocks"];
  const auto count = static_cast<std::size_t>(point["branches"]);
  const auto& stream = *setup.stream;
  const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
  const auto s = std::make_shared<State>(count, point["pass"] == 1, setup.device.index);
  for (std::size_t i = 0; i < count; ++i) {
    s->inputs.push_back(at::full({n}, 0.125 * static_cast<double>(i), options).set_requires_grad(s->both));
    s->seeds.push_back(at::full({n}, 1.0 + static_cast<double>(i), options));
  }
  s->rounds = setup.calibrated("overlap/concurrent_kernels", [&] {
    const auto one = at::zeros({256}, options);
    return work_rounds(seconds, one.mutable_data_ptr<float>(), 256, stream);
  });

  return {
      .naive = [s, &stream] { s->run([&](std::size_t) -> const Stream& { return stream; }); },
      .optimized =
          [s, &stream] {
            s->side.fork(stream);
            s->run([&](std::size_t i) -> const Stream& { return s->side[i]; });
            s->side.join(stream);
          },
      .clear = [s] { s->results.clear(); },
      .answer = [s](Form) { return s->results.empty() ? Answer() : numbers_of(at::cat(s->results)); },
      .timer = Timer::event,
  };
}

extern constexpr Step step = checked({
    .id = "overlap/concurrent_kernels",
    .claim = "Independent small kernels run at once on streams of their own, in the backward pass too.",
    .claim_ids = "ovl-concurrent-kernels",
    .sides = {"one stream", "a stream each"},
    .source = cuda_semantics("Stream semantics of backward passes"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
});

}  // namespace microbench::overlap_concurrent_kernels
