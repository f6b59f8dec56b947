// Clip gradients without asking in each step whether their norm is finite.
//
// Question: `clip_grad_norm_` with error_if_nonfinite=True reads one number in each step. What does it cost,
// in a step that reads nothing else?
//
// Clipping takes the norm of all gradients and scales them by it, all on the device: the factor is a tensor,
// and nobody needs to know its value. With error_if_nonfinite the host must know whether to throw, so it
// reads the norm back: it waits until the backward pass has run, and the device idles until the optimizer's
// kernels are queued. The check need not be lost. The norms' soundness can be collected in a tensor on the
// device and read once for many steps; `torch.where` can leave the weights alone in a step with a bad
// gradient (a factor of zero cannot: 0 times infinity is NaN).
//
// When it does not matter: where the host waits in each step anyway, for a loss that is printed or a scaler
// that asks for its flag; on the CPU, where nothing is queued. What it costs: the error comes up to so many
// steps later.
//
// A row measures 20 steps of 64 gradients of 4,096 numbers: norm, factor and scaling; the first side asks in
// each step, the second once after the last.
//
// Answer: One wait in each step, which keeps the host from running ahead: most of the time where the step's
// kernels are short, little where they are long. On the CPU the number is there already.

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::sync_clip_nonfinite {

constexpr int steps_each_run = 20;
constexpr double longest = 1;  // the norm that is let through

struct State {
  explicit State(const Setup& setup) : sound(at::ones({}, floats_on(setup.device).dtype(at::kBool))) {
    for (std::uint64_t i = 0; i < 64; ++i) computed.push_back(normal_values(setup, {4096}, i));
    for (const auto& each : computed) gradients.push_back(at::empty_like(each));
  }
  void step(bool ask) {
    at::_foreach_copy_(gradients, computed);  // stands for a backward pass
    const auto norm = at::stack(at::_foreach_norm(gradients)).norm();
    if (ask)
      require(norm.isfinite());
    else
      sound.logical_and_(norm.isfinite());
    at::_foreach_mul_(gradients, (longest / (norm + 1e-6)).clamp_max(1));
  }
  static void require(const at::Tensor& finite) {
    if (!finite.item<bool>()) throw std::runtime_error("the norm of the gradients is not finite");
  }
  at::Tensor sound;
  std::vector<at::Tensor> computed, gradients;
};

Trial prepare(Setup& setup, const Point& /*point*/) {
  const auto s = std::make_shared<State>(setup);
  return {
      .naive =
          [s] {
            for (int i = 0; i < steps_each_run; ++i) s->step(/*ask=*/true);
          },
      .optimized =
          [s] {
            for (int i = 0; i < steps_each_run; ++i) s->step(/*ask=*/false);
            State::require(s->sound);
          },
      .clear = [s] { at::_foreach_zero_(s->gradients); },
      .answer = [s](Form) { return numbers_of(at::stack(s->gradients)); },
  };
}

extern constexpr Step step = checked({
    .id = "sync/clip_nonfinite",
    .claim = "Clipping that asks in each step whether the norm is finite keeps the host from running ahead.",
    .sides = {"asks in each step", "asks once"},
    .source = {"PyTorch", "https://github.com/pytorch/pytorch/issues/60691", "issue 60691"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
});

}  // namespace microbench::sync_clip_nonfinite
