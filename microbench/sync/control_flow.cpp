// Let the device choose between values instead of asking it and branching on the host.
//
// Question: The device does the work of both branches. When is that cheaper than asking it which one is
// needed?
//
// An `if` on what a tensor holds needs the value on the host: everything queued must finish first, and
// meanwhile nothing new is queued. The usual case is a guard, such as an update that is only to be made if
// the gradient is sound. `where` says the same on the device: it takes the gradient if the check holds and 0
// if not, and the host never learns which it was. A check whose only purpose is to stop the program can be
// an assertion on the device, or left out of the release.
//
// What it costs: the device does the work of both branches, here one more kernel over all values, and the
// update is made even where it changes nothing. When it does not matter: where the branch saves a lot of
// work, as it does on small devices at `n:1024`, or where the host waits in each iteration anyway. On the CPU
// nothing is queued and the value is already there, so that only the additional work remains.
//
// A row measures twenty iterations over n x n values; each makes `checks` guarded updates. Every fifth
// gradient is too large, so that both ways are taken.
//
// Answer: When the second branch's kernel takes less time than the wait and the idle device after it. So for
// small tensors and cheap branches, and not where the branch saves a lot of work.

#include "microbench/tip.hpp"

namespace microbench::sync_control_flow {

constexpr std::int64_t quick_sizes[] = {128};
constexpr Axis axes[] = {
    {.name = "n", .about = "rows and columns of a parameter", .values = {128, 1024}, .quick = quick_sizes},
    {.name = "checks", .about = "parameters, each with its own check", .values = {1, 4}}};
constexpr int loop = 20;
constexpr double rate = 1.0 / 1024;
constexpr double limit = 1e6;  // gradients below this one are used

struct State {
  State(std::int64_t n, std::int64_t count, const at::TensorOptions& options) {
    for (std::int64_t i = 0; i < count; ++i) parameters.push_back(at::zeros({n, n}, options));
    for (int i = 0; i < loop; ++i) scales.push_back(at::full({}, i % 5 == 4 ? 1e9 : 1.0 + i, options));
    direction = at::ones({n, n}, options);
    zero = at::zeros({}, options);
  }
  /// The i-th gradient, and whether it is sound, which only the device knows.
  at::Tensor gradient(int i) { return direction.mul(scales[static_cast<std::size_t>(i)]); }
  static at::Tensor is_sound(const at::Tensor& gradient) { return gradient.lt(limit).all(); }

  std::vector<at::Tensor> parameters, scales;
  at::Tensor direction, zero;
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || point["n"] == quick_sizes[0];
}

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["n"];
  const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
  const auto s = std::make_shared<State>(n, point["checks"], options);

  return {
      .naive =
          [s] {
            for (int i = 0; i < loop; ++i)
              for (auto& parameter : s->parameters) {
                const auto gradient = s->gradient(i);
                if (State::is_sound(gradient).item<bool>()) parameter.sub_(gradient, rate);
              }
          },
      .optimized =
          [s] {
            for (int i = 0; i < loop; ++i)
              for (auto& parameter : s->parameters) {
                const auto gradient = s->gradient(i);
                parameter.sub_(at::where(State::is_sound(gradient), gradient, s->zero), rate);
              }
          },
      .clear =
          [s] {
            for (auto& parameter : s->parameters) parameter.zero_();
          },
      .answer = [s](Form) { return numbers_of(at::stack(s->parameters)); },
  };
}

extern constexpr Step step = checked({
    .id = "sync/control_flow",
    .claim = "A branch of the host on a value of the device makes it wait; where() on the device does not.",
    .claim_ids = "sync-control-flow",
    .sides = {"branch of the host", "where()"},
    .source = tuning_guide("Avoid unnecessary CPU-GPU synchronization"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .except = "n:1024"},
});

}  // namespace microbench::sync_control_flow
