// Apply ReLU and max-pooling in one pass instead of as two operators.
//
// Question: ReLU and pooling in one pass: how much is saved on a large image?
//
// ReLU reads an image and writes it again without the negative values; max-pooling reads that and writes a
// quarter. One kernel can do both: one reading, a quarter written.
//
// When it does not matter: beside the convolution that makes the image; on images that lie in the cache.
// LibTorch's pooling also writes where each largest value stood, which a backward pass needs: eight bytes
// for every value of the result are a part of what a device's row shows.
//
// On the device a kernel of our own stands against LibTorch's two operators. On the host both sides call
// them plane by plane: one pools after all planes went through ReLU, the other while the plane is cached.
//
// Answer: Up to 62 % of the time, if the image is larger than the cache and memory is what both wait for.
// Two operators read an image, write it, read it again and write a quarter: 3.25 passes. One pass reads it
// and writes a quarter: 1.25. LibTorch's pooling also writes the places of its maxima, which adds to the
// difference on a device. A core computes longer than it fetches: on two cores of an EPYC it was 5 %
// (commit 03cee4c).

#include "harness/cuda/stream.hpp"

#include "microbench/launch/fused_kernels.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::launch_fuse_relu_maxpool {

constexpr Axis axes[] = {{.name = "side",
                          .about = "height and width of each of 64 planes of one image",
                          .values = {64, 256, 512, 1024},
                          .quick = {64}}};
constexpr std::int64_t planes = 64;

struct State {
  at::Tensor x, between, out, indices;
  std::vector<at::Tensor> x_parts, between_parts, out_parts,
      index_parts;  // one on a device, planes on a host

  void relu(std::size_t i) {  // at::relu is this call; relu_out copies besides
    at::clamp_min_out(between_parts[i], x_parts[i], 0);
  }
  void pool(std::size_t i) {
    at::max_pool2d_with_indices_out(out_parts[i], index_parts[i], between_parts[i], {2, 2});
  }
};

std::shared_ptr<State> make_state(const Setup& setup, std::int64_t side) {
  const auto s = std::make_shared<State>();
  s->x = normal_values(setup, {planes, side, side});
  s->between = at::empty_like(s->x);
  s->out = at::empty({planes, side / 2, side / 2}, floats_on(setup.device));
  s->indices = at::empty_like(s->out, at::kLong);
  const std::int64_t part = setup.device.is_cuda() ? planes : 1;
  s->x_parts = s->x.split(part);
  s->between_parts = s->between.split(part);
  s->out_parts = s->out.split(part);
  s->index_parts = s->indices.split(part);
  return s;
}

std::function<void()> fused(const Setup& setup, const std::shared_ptr<State>& s) {
  if (!setup.device.is_cuda())
    return [s] {
      for (std::size_t i = 0; i < s->x_parts.size(); ++i) {
        s->relu(i);
        s->pool(i);
      }
    };
  const auto side = static_cast<std::size_t>(s->x.size(1));
  return [s, side, &stream = *setup.stream] {
    check(queue_relu_max_pool(s->out.data_ptr<float>(), s->x.const_data_ptr<float>(),
                              {static_cast<std::size_t>(planes), side, side}, stream.get()));
  };
}

Trial prepare(Setup& setup, const Point& point) {
  const auto side = point["side"];
  if (setup.device.is_cuda())
    require_device_memory(3 * sizeof(float) * static_cast<std::size_t>(planes * side * side));
  const auto s = make_state(setup, side);
  return {
      .naive =
          [s] {
            for (std::size_t i = 0; i < s->x_parts.size(); ++i) s->relu(i);
            for (std::size_t i = 0; i < s->x_parts.size(); ++i) s->pool(i);
          },
      .optimized = fused(setup, s),
      .clear =
          [s] {
            s->between.fill_(-7);
            s->out.fill_(-7);
          },
      .answer = [s](Form) { return numbers_of(s->out); },
      .timer = device_timer(setup.device),
  };
}

extern constexpr Step step = checked({
    .id = "launch/fuse_relu_maxpool",
    .claim = "ReLU and max-pooling fused into one pass take less time than one after the other.",
    .claim_ids = "fuse-relu-maxpool",
    .sides = {"two operators", "one pass"},
    .source = go_brrrr("Bandwidth"),
    .axes = axes,
    .takes = [](const Point& p, const Device& on) { return on.is_cuda() || p["side"] <= 256; },
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
});

}  // namespace microbench::launch_fuse_relu_maxpool
