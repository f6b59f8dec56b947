// Use one fused operator for a chain of pointwise ones: GELU, forward and backward.
//
// Question: GELU out of five operators, or as one: is the factor five, at 4096 values and at 4194304?
//
// GELU is x/2 (1 + erf(x / sqrt 2)). Written with LibTorch's arithmetic it is five operators, and each of
// them reads a whole tensor and writes a whole tensor. As one operator it reads x once and writes the
// result once. The backward pass takes more: eleven operators for the derivative, against one. On small
// tensors the fused operator wins for another reason: one call replaces five.
//
// When it does not matter: next to the large matrix products of a network, whose time the activations are a
// small part of; and for values that lie in a cache, where passes are cheap but calls still count.
//
// Both sides write into memory that was allocated before: a composed GELU usually allocates each of its
// intermediate results as well, which would be another tip. The composed derivative is what automatic
// differentiation would queue, put in order by hand.
//
// Answer: Up to five in both cases, for two reasons: at 4,096 values because one call replaces five, at
// 4,194,304 because one pass over memory replaces five. It is less where the arithmetic shows, all of which
// the fused operator does, and where five passes find their data in a cache. At 4,096 values an H200 had a
// factor of 4.7 (commit c3d44b4), two cores of an EPYC one of 1.7, and of 3.4 at 4,194,304 (commit
// 03cee4c).

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

#include <numbers>

namespace microbench::launch_fuse_pointwise_chain {

constexpr Axis axes[] = {
    {.name = "values",
     .about = "floats in the tensor",
     .values = {1 << 12, 1 << 18, 1 << 22, 1 << 24},
     .quick = {1 << 12}},
    {.name = "pass",
     .about = "forward: the activation; backward: its derivative times the gradient that comes in",
     .quick = {0},
     .labels = {"forward", "backward"}}};

struct State {
  at::Tensor x, gradient, y, scratch;
  // A 0-dimensional factor: mul_out with a plain number computes into a new tensor and copies.
  at::Tensor root = at::scalar_tensor(1 / std::numbers::sqrt2, at::kFloat);

  void composed() {
    at::mul_out(y, x, root);
    y.erf_().add_(1).mul_(x).mul_(0.5);
  }
  /// gradient/2 (1 + erf(x / sqrt 2) + x sqrt(2/pi) exp(-x*x/2))
  void composed_backward() {
    at::mul_out(scratch, x, x);
    scratch.mul_(-0.5).exp_().mul_(x).mul_(std::numbers::sqrt2 * std::numbers::inv_sqrtpi);
    at::mul_out(y, x, root);
    y.erf_().add_(1).add_(scratch).mul_(gradient).mul_(0.5);
  }
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() ||
         (point["pass"] == 0 && (point["values"] == 1 << 12 || point["values"] == 1 << 22));
}

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["values"];
  const bool backward = point["pass"] == 1;
  if (setup.device.is_cuda()) require_device_memory(4 * sizeof(float) * static_cast<std::size_t>(n));
  const auto s = std::make_shared<State>();
  const auto both = normal_values(setup, {2, n});
  s->x = both[0];
  s->gradient = both[1];
  s->y = at::empty_like(s->x);
  s->scratch = at::empty_like(s->x);

  return {
      .naive = [s, backward] { backward ? s->composed_backward() : s->composed(); },
      .optimized =
          [s, backward] {
            if (backward)
              at::gelu_backward_out(s->y, s->gradient, s->x);
            else
              at::gelu_out(s->y, s->x);
          },
      .clear = [s] { s->y.fill_(-7); },
      .answer = [s](Form) { return numbers_of(s->y); },
      .timer = device_timer(setup.device),
  };
}

extern constexpr Step step = checked({
    .id = "launch/fuse_pointwise_chain",
    .claim = "One fused operator is faster than the chain of pointwise operators that it stands for.",
    .claim_ids = "fuse-pointwise-chain",
    .sides = {"chain", "one operator"},
    .source = tuning_guide("Fuse operations"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = {.relative = 1e-5, .why = "the chain rounds to float32 after each operator"},
});

}  // namespace microbench::launch_fuse_pointwise_chain
