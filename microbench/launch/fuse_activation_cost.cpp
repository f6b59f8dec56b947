// What an elaborate activation function costs beside ReLU: nothing, as long as the device waits for memory.
//
// Question: GELU computes an error function, ReLU compares with zero. How much longer does GELU take on a
// device, and on your CPU?
//
// Each of these functions is one operator: it reads a value, computes, and writes a value. GELU computes an
// error function and tanh an exponential where ReLU compares with zero. But on a GPU the arithmetic of some
// ten or twenty instructions is done while the next values are still on their way from memory. So they all
// take the time of the traffic, and choosing ReLU for its speed gains nothing.
//
// When it does not hold: in double precision on devices with few units for it (`dtype:double`), where
// arithmetic takes longer than memory; on devices with slow arithmetic for their memory; on small tensors
// that lie in the cache; and on a host, whose cores compute far less for each byte they can fetch.
//
// A row measures one function against ReLU on the same values. How near a device comes to equal times depends
// on its arithmetic for each byte, and 3 % is a narrow margin, so nothing is expected. The two functions
// compute different things. So each is compared with its own definition, computed in double precision
// operator by operator, and the sides' answers are the argument plus the error found.
//
// Answer: On a device about the same time, within a few percent: both wait for the same bytes, and the
// arithmetic fits into that wait. On a CPU several times as long for values in a cache, since a core
// calculates far less for each byte.

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

#include <cmath>

namespace microbench::launch_fuse_activation_cost {

constexpr Axis axes[] = {{.name = "function",
                          .about = "the activation function that is compared with ReLU",
                          .quick = {0},
                          .labels = {"gelu", "silu", "selu", "tanh"}},
                         {.name = "dtype",
                          .about = "type of the values: 16 Mi of them on a GPU, 4 Mi on the host",
                          .quick = {0},
                          .labels = {"float", "double"}}};
constexpr double selu_alpha = 1.6732632423543772;  // of its definition
constexpr double selu_scale = 1.0507009873554805;

struct State {
  at::Tensor x, y;
};

void activate(std::int64_t function, State& s) {
  if (function == 0) at::gelu_out(s.y, s.x);
  if (function == 1) at::silu_out(s.y, s.x);
  if (function == 2) at::elu_out(s.y, s.x, selu_alpha, selu_scale);  // at::selu is this call
  if (function == 3) at::tanh_out(s.y, s.x);
}

/// The definition, for x in double precision.
at::Tensor defined(std::int64_t function, const at::Tensor& x) {
  if (function == 0) return x * 0.5 * (at::erf(x * std::sqrt(0.5)) + 1);
  if (function == 1) return x / (at::exp(-x) + 1);
  if (function == 2) return at::where(x > 0, x, (at::exp(x) - 1) * selu_alpha) * selu_scale;
  return at::ones_like(x) - (at::exp(x * 2) + 1).reciprocal() * 2;
}

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || (point["function"] <= 1 && point["dtype"] == 0);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto function = point["function"];
  const auto n = std::int64_t{setup.device.is_cuda() ? 16 : 4} << 20;
  if (setup.device.is_cuda()) require_device_memory(8 * sizeof(double) * static_cast<std::size_t>(n));
  const auto s = std::make_shared<State>();
  s->x = normal_values(setup, {n}).to(point["dtype"] == 1 ? at::kDouble : at::kFloat);
  s->y = at::empty_like(s->x);

  return {
      .naive = [s] { at::clamp_min_out(s->y, s->x, 0); },  // at::relu is this call; relu_out copies besides
      .optimized = [s, function] { activate(function, *s); },
      .clear = [s] { s->y.fill_(-7); },
      .answer =
          [s, function](Form form) {
            const auto x = s->x.to(at::kDouble);
            const auto right = form == Form::naive ? at::clamp_min(x, 0) : defined(function, x);
            return numbers_of(x + (s->y - right));
          },
      .timer = device_timer(setup.device),
      .bytes_moved = 2 * s->x.nbytes(),
  };
}

extern constexpr Step step = checked({
    .id = "launch/fuse_activation_cost",
    .claim = "An elaborate activation function costs as much as ReLU, since both take one pass over memory.",
    .claim_ids = "fuse-activation-cost",
    .sides = {"ReLU", "elaborate"},
    .source = go_brrrr("Bandwidth"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = {.relative = 1e-5, .why = "the functions are computed in float32"},
});

}  // namespace microbench::launch_fuse_activation_cost
