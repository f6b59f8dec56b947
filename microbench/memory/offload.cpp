// Keep activations in pinned memory until the backward pass wants them.
//
// Question: 16 layers keep what they read for the backward pass, on the device or in pinned memory. What
// share of the device's peak is left, and do copies of `width:256` end while the products run?
//
// The backward pass wants what each layer has read, in the reverse order, so the first one's waits longest.
// Offloading sends each activation to pinned memory on a stream of its own while the next layer computes, and
// brings it back one layer before it is wanted. The device then holds two or three activations at a time
// instead of all. Two waits keep it right, both on the device: memory is given back only when its copy has
// left, and a layer goes back only when its activation has arrived. Pinned memory is taken once, before
// training: allocating it on the way may make the streams wait for each other.
//
// What it costs is the link, twice for each activation. A product over rows of `width` numbers grows with the
// square of the width, its copy with the width: only wide layers hide it. When it does not pay: where the
// batch fits, since memory that is left over buys nothing; where few operators that are cheap to compute
// again keep most (autograd/checkpoint_memory). On the CPU there is nowhere else to keep them, so it has no
// row.
//
// The result is memory, and the verdict is about it; the times, which are mostly worse, stand beside it. A
// row runs 16 layers forward and backward over 4,096 rows. Both sides do the same arithmetic, written out
// without autograd; in PyTorch a hook on saved tensors does the copies.
//
// Answer: About three of 16 activations remain, beside weights and gradients. The copies hide only where the
// products take longer than the link: at `width:256` expect them to be most of the time. The source's peak
// fell from 15.2 to 10.5 GiB, and its step took 1.678 s instead of 0.752.

#include "microbench/memory/keepers.hpp"
#include "microbench/memory/varying_lengths.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

#include <cmath>

namespace microbench::memory_offload {

constexpr std::int64_t narrow = 256;
constexpr Axis axes[] = {
    {.name = "width", .about = "numbers in a row", .values = {narrow, 2048}, .quick = {narrow}}};
constexpr std::size_t layers = 16;
constexpr std::int64_t rows = 4096;

struct State {
  State(const Setup& setup, std::int64_t width)
      : input(normal_values(setup, {rows, width})), offloaded(input, layers, *setup.stream) {
    const auto scale = std::sqrt(2 / static_cast<double>(width));  // so that values neither grow nor vanish
    for (std::size_t i = 0; i < layers; ++i) {
      weights.push_back(normal_values(setup, {width, width}, i + 1).mul_(scale));
      gradients.push_back(at::empty_like(weights.back()));
    }
  }
  /// x -> relu(x w) for each of the weights, and the gradients of half the mean square of what comes out.
  template <class Keeper>
  void train(Keeper& keeper) {
    auto x = input;
    for (std::size_t i = 0; i < layers; ++i) {
      keeper.put(i, x);
      x = at::mm(x, weights[i]).relu_();
    }
    auto flows = x / static_cast<double>(x.numel());
    for (auto i = layers; i-- > 0;) {
      flows = at::threshold_backward(flows, x, 0);
      x = keeper.take(i);
      at::mm_out(gradients[i], x.t(), flows);
      flows = at::mm(flows, weights[i].t());
    }
  }
  at::Tensor input;
  std::vector<at::Tensor> weights, gradients;
  Kept kept;
  Offloaded offloaded;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto width = point["width"];
  require_device_memory((layers + 6) * static_cast<std::size_t>((rows + 2 * width) * width) * sizeof(float));
  const auto s = std::make_shared<State>(setup, width);
  const auto naive = [s] { s->train(s->kept); };
  const auto optimized = [s] { s->train(s->offloaded); };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { at::_foreach_zero_(s->gradients); },
      .answer = [s](Form) { return numbers_of(at::stack(s->gradients)); },
      .figures = [=, device = setup.device]() -> std::vector<Figure> {
        return {
            {"in use at the peak", "MiB", allocated_peak(device, naive), allocated_peak(device, optimized)}};
      },
      .statistic = Statistic::figure,
  };
}

extern constexpr Step step = checked({
    .id = "memory/offload",
    .claim = "Activations that wait in pinned memory lower the device's peak; the step takes longer.",
    .sides = {"on the device", "in pinned memory"},
    .source = {"NeMo RL", "https://github.com/NVIDIA-NeMo/RL/pull/3628", "pull request 3628"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "15.2 -> 10.5 GiB, 0.752 -> 1.678 s a step"},
    .tolerance = {.relative = 1e-5, .why = "the library may choose its kernel by the alignment of addresses"},
    .delta = 0.01,  // bytes have no noise
    .row_seconds = 6,
});

}  // namespace microbench::memory_offload
