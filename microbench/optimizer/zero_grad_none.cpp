// Drop the gradients before each backward pass (set_to_none) instead of filling them with zeros.
//
// Question: 100 gradients of 1024 values are zeroed, or dropped. By what factor do the passes differ, and
// how does that change with 4 gradients of 4,194,304 values?
//
// Zeroing writes every gradient once, with a kernel for each parameter; the backward pass then reads the
// zeros to add the new gradient to them, and writes again. Where there is no gradient, autograd simply
// keeps the new one: the write, the read, the addition and their launches all disappear. In C++ as in
// Python zero_grad() has done this by default since PyTorch 2.0; the first side stands for code that says
// false, or that zeroes by hand.
//
// What it costs: a parameter that takes no part in a pass has no gradient then, and no gradient of zeros,
// which an optimizer with momentum treats differently; and new gradients may lie at new addresses, which a
// recorded CUDA graph cannot follow. When it does not matter: where the rest of the step is much longer than
// a pass over the gradients.
//
// The model is the cheapest that has a gradient for each value: the sum of products p * x over all
// parameters. Its graph is kept, so that a run is: prepare the gradients, then one backward pass.
//
// Answer: With 100 small gradients it is about calls: for each of them, dropping saves two operators, the
// zeroing and the adding. With 4 of 4,194,304 values it is about bytes: write, read and write again against
// one write. Where the rest of a step is long, either is lost in it.

#include "harness/libtorch/generator.hpp"

#include "microbench/optimizer/parameters.hpp"
#include "microbench/tip.hpp"

namespace microbench::optimizer_zero_grad_none {

struct State {
  std::vector<at::Tensor> params;
  at::Tensor loss;

  void backward() const { loss.backward(/*gradient=*/{}, /*retain_graph=*/true); }
  void zero() const {
    for (const auto& p : params)
      if (p.grad().defined()) p.mutable_grad().zero_();
  }
  void drop() const {
    for (const auto& p : params) p.mutable_grad().reset();
  }
  /// The gradients there are, of large parameters a part of each.
  Answer gradients() const {
    constexpr std::int64_t most = 4096;
    std::vector<at::Tensor> parts;
    for (const auto& p : params)
      if (p.grad().defined()) parts.push_back(p.grad().narrow(0, 0, std::min(p.numel(), most)));
    return parts.empty() ? Answer(std::vector<float>{}) : numbers_of(at::cat(parts));
  }
};

Trial prepare(Setup& setup, const Point& point) {
  require_room(setup, point["tensors"], point["numel"]);
  const auto device = torch_device(setup.device);
  const auto generator = host_generator(setup.seed);
  const auto values = at::randn({point["numel"]}, generator).to(device);
  const auto s = std::make_shared<State>();
  std::vector<at::Tensor> products;
  for (std::int64_t i = 0; i < point["tensors"]; ++i) {
    s->params.push_back(at::ones_like(values).requires_grad_());
    products.push_back(at::dot(s->params.back(), values.roll(i)));
  }
  s->loss = at::stack(products).sum();

  return {
      .naive =
          [s] {
            s->zero();
            s->backward();
          },
      .optimized =
          [s] {
            s->drop();
            s->backward();
          },
      .clear = [s] { s->drop(); },
      .answer = [s](Form) { return s->gradients(); },
      .answer_runs = 2,  // the second pass is the one that meets gradients
  };
}

extern constexpr Step step = checked({
    .id = "optimizer/zero_grad_none",
    .claim = "Dropping gradients instead of zeroing them saves a write, a read and their launches.",
    .claim_ids = "opt-zero-grad-none",
    .sides = {"zeroed", "dropped"},
    .source = tuning_guide("Use parameter.grad = None instead of model.zero_grad() or optimizer.zero_grad()"),
    .axes = parameter_axes,
    .takes = list_fits,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
});

}  // namespace microbench::optimizer_zero_grad_none
