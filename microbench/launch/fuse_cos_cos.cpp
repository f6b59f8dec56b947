// Take the cosine twice in one pass over memory instead of in two passes.
//
// Question: Two cosines in one pass instead of two: half of the time on a device. Is it half on a CPU, too?
//
// An operator that does little with each value is as fast as memory: it reads every value, computes for a
// moment and writes every value. Two such operators in a row read and write everything twice, although the
// first result is needed only once, right away. Fused into one kernel, the value stays in a register between
// the two, half of the traffic is gone, and the second cosine costs next to nothing. Libraries do not do this
// on their own: two calls of an operator are two passes.
//
// When it does not matter: where memory is not the limit. Small tensors stay in the device's L2 cache, so
// that only the launch is saved (which can be a factor of two as well, for another reason). On a host, a core
// takes about as long for a cosine as for fetching its argument.
//
// On the device the fused side is a kernel of our own, against LibTorch's operator called twice. On the host
// both sides call LibTorch's operator on blocks small enough for a core's cache: one side takes the second
// cosine after all blocks had their first, the other right after the block's first. One core does it.
//
// Answer: Near half on a device for tensors larger than its cache: two reads and writes instead of four. Not
// on a CPU, where the arithmetic takes as long as the fetching and is not halved.

#include "harness/cuda/stream.hpp"

#include "microbench/launch/fused_kernels.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::launch_fuse_cos_cos {

constexpr Axis axes[] = {{.name = "values",
                          .about = "floats in the tensor",
                          .values = {1 << 16, 1 << 20, 1 << 22, 1 << 24, 1 << 26},
                          .quick = {1 << 16}}};
constexpr std::int64_t block = 1 << 14;  // 64 KiB each of argument and result; below LibTorch's parallel size

struct State {
  at::Tensor x, y;
  std::vector<at::Tensor> x_blocks, y_blocks;  // the whole as one block on a device
};

std::shared_ptr<State> make_state(const Setup& setup, std::int64_t n) {
  if (setup.device.is_cuda()) require_device_memory(2 * sizeof(float) * static_cast<std::size_t>(n));
  const auto s = std::make_shared<State>();
  s->x = normal_values(setup, {n});
  s->y = at::empty_like(s->x);
  s->x_blocks = s->x.split(setup.device.is_cuda() ? n : block);
  s->y_blocks = s->y.split(setup.device.is_cuda() ? n : block);
  return s;
}

std::function<void()> fused(const Setup& setup, const std::shared_ptr<State>& s) {
  if (!setup.device.is_cuda())
    return [s] {
      for (std::size_t i = 0; i < s->x_blocks.size(); ++i) at::cos_out(s->y_blocks[i], s->x_blocks[i]).cos_();
    };
  return [s, &stream = *setup.stream] {
    check(queue_cos_cos(s->y.data_ptr<float>(), s->x.const_data_ptr<float>(),
                        static_cast<std::size_t>(s->x.numel()), stream.get()));
  };
}

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["values"] == 1 << 16 || point["values"] == 1 << 24;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = make_state(setup, point["values"]);
  return {
      .naive =
          [s] {
            for (std::size_t i = 0; i < s->x_blocks.size(); ++i) at::cos_out(s->y_blocks[i], s->x_blocks[i]);
            for (const auto& y : s->y_blocks) y.cos_();
          },
      .optimized = fused(setup, s),
      .clear = [s] { s->y.fill_(-7); },
      .answer = [s](Form) { return numbers_of(s->y); },
      .timer = device_timer(setup.device),
      .bytes_moved = 2 * sizeof(float) * static_cast<std::size_t>(point["values"]),
  };
}

extern constexpr Step step = checked({
    .id = "launch/fuse_cos_cos",
    .claim = "Two unary operators fused into one pass take about half the time.",
    .claim_ids = "fuse-cos-cos",
    .sides = {"two passes", "one pass"},
    .source = go_brrrr("Bandwidth"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "2x: two reads and writes instead of four"},
    .cuda_tolerance = {.relative = 1e-6, .why = "two builds of CUDA's cosf may differ in its last bits"},
});

}  // namespace microbench::launch_fuse_cos_cos
