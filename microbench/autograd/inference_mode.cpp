// Inference mode instead of no_grad, where results will never meet autograd again.
//
// Question: no_grad is on already. How much does inference mode save per operator at n = 8, and how much at
// 256?
//
// With gradients off, a tensor still keeps two things in order for later: a version number, which each
// change in place counts up, and for a view the base that it shares its memory with. Should the tensor ever
// be used with gradients on, autograd needs both. Inference mode promises that it will not: tensors made
// under it have no version, views no base, and operators skip the layer that would maintain them. It is an
// error to break the promise later.
//
// When it does not matter: with everything that is not bound by the host. What is saved is a fraction of a
// microsecond per operator, mostly with views and changes in place: little beside an operator over 256 x 256
// values on a CPU. On a GPU even that kernel may be shorter than its launch, and then the host's time still
// shows.
//
// A run makes 100 rounds of a view, an addition and a change in place; its tensors are made inside the mode,
// since those from outside stay ordinary tensors. Both sides have gradients off.
//
// Answer: A fraction of a microsecond for each view and each change in place, at either size. At n = 8 that
// can be a visible share of an operator; at n = 256 the arithmetic of 65,536 values hides it on a CPU.

#include "microbench/tip.hpp"

#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

namespace microbench::autograd_inference_mode {

constexpr Axis axes[] = {{.name = "n", .about = "rows and columns of the tensors", .values = {8, 256}}};
constexpr int rounds = 100;

struct State {
  at::Tensor start, out;
  void work() {
    auto x = start.clone();
    for (int i = 0; i < rounds; ++i) {
      auto y = at::add(x.t(), start);
      y.select(0, i % y.size(0)).mul_(0.5);
      x = y;
    }
    out = at::mul(x, 1.0 / rounds);
  }
};

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["n"];
  const auto s = std::make_shared<State>();
  s->start = at::arange(n * n, at::kFloat).remainder_(13).view({n, n}).to(torch_device(setup.device));

  return {
      .naive =
          [s] {
            const c10::NoGradGuard off;
            s->work();
          },
      .optimized =
          [s] {
            const c10::InferenceMode inference;
            s->work();
          },
      .clear = [s] { s->out = at::full_like(s->start, -1); },
      .answer = [s](Form) { return numbers_of(s->out); },
  };
}

extern constexpr Step step = checked({
    .id = "autograd/inference_mode",
    .claim = "Inference mode saves operators the bookkeeping that no_grad keeps.",
    .claim_ids = "grad-inference-mode",
    .sides = {"no_grad", "inference mode"},
    .source = {.title = "PyTorch, Autograd mechanics",
               .url = "https://docs.pytorch.org/docs/stable/notes/autograd.html",
               .where = "Inference Mode"},
    .axes = axes,
    .prepare = prepare,
    .expectation =
        {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps, .about = "n:8"},
});

}  // namespace microbench::autograd_inference_mode
