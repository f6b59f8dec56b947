// Scale the loss before going back through FP16: small gradients are rounded to zero otherwise.
//
// Question: At which batch (64, 1024, 16384) do FP16 gradients of an unscaled loss begin to be wrong, and
// does the CPU show it, too?
//
// The smallest number above zero in FP16 is 6e-8: what is below half of it, 3e-8, is rounded to zero. Below
// 6e-5 digits are lost one by one. A loss is a mean over all outputs of a batch, so the gradient of each
// output is divided by their number. With 16 outputs and a batch of 16,384 it is divided by 262,144. A
// network that is nearly trained has smaller errors still. What is rounded to zero at the loss stays zero
// in the whole backward pass: the parameters do not learn, and no error says so. A loss that is multiplied
// by 65536 gives gradients 65536 times as large, which FP16 can hold; divided by the same number in FP32,
// they are what they should have been.
//
// When it does not matter: with BF16, whose range is FP32's; where the gradients are large enough by
// themselves. Too large a factor overflows too, which is why grad_scaler.hpp looks for infinities and lowers
// it.
//
// The first side is the mistake. What is right comes from the formula of this gradient in FP64. The rounding
// of FP16 is the same on every device, so the CPU shows it as well as a GPU.
//
// Answer: At 16,384: with 16 outputs each gradient is divided by 262,144, and a loss near zero makes it
// smaller still; below 6e-5 digits are lost, below 3e-8 all of them. 1,024 may lose digits. The CPU shows it
// too, because FP16 rounds alike everywhere.

#include "microbench/precision/amp.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::precision_gradient_underflow {

constexpr Axis axes[] = {{.name = "batch",
                          .about = "rows of 16 outputs over which the loss is a mean",
                          .values = {64, 1024, 16384},
                          .quick = {16384}}};
constexpr std::int64_t inputs = 32;
constexpr std::int64_t outputs = 16;
constexpr double residual = 0.002;  // how far outputs and targets lie apart, about

/// One linear layer that works in FP16, and its gradient in FP32.
struct State {
  State(const Setup& setup, std::int64_t batch) : scaler(torch_device(setup.device)) {
    const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
    const auto generator = generator_of(setup);
    x = at::randn({batch, inputs}, generator, options);
    target = at::randn({batch, outputs}, generator, options).mul_(residual);
    weight = at::randn({outputs, inputs}, generator, options).mul_(residual / 6).requires_grad_();
    gradient = at::empty_like(weight).detach();
  }
  /// What autocast makes of a linear layer and its loss: the product in FP16, the mean in FP32.
  at::Tensor loss() const {
    const auto y = at::linear(x.to(at::kHalf), weight.to(at::kHalf));
    return at::mse_loss(y.to(at::kFloat), target);
  }
  void go_back(const at::Tensor& from) {
    weight.mutable_grad() = at::Tensor();
    from.backward();
    gradient = weight.grad();
  }
  at::Tensor exact_gradient() const {
    const auto wide = x.to(at::kDouble);
    const auto off = at::mm(wide, weight.detach().to(at::kDouble).t()) - target.to(at::kDouble);
    return at::mm(off.t(), wide).mul_(2.0 / static_cast<double>(target.numel()));
  }
  GradScaler scaler;
  at::Tensor x, target, weight, gradient;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup, point["batch"]);
  Trial trial;
  trial.naive = [s] { s->go_back(s->loss()); };
  trial.optimized = [s] {
    s->go_back(s->scaler.scale(s->loss()));
    s->scaler.unscale(s->gradient);
  };
  trial.clear = [s] { s->gradient = at::full_like(s->gradient, -1); };
  trial.answer = [s](Form) { return numbers_of(s->gradient); };
  trial.truth = [s] { return numbers_of(s->exact_gradient()); };
  return trial;
}

extern constexpr Step step = checked({
    .id = "precision/gradient_underflow",
    .claim = "Without a scaled loss, gradients that go back through FP16 underflow to zero.",
    .claim_ids = "prec-amp-fp16",
    .sides = {"unscaled", "scaled"},
    .source = {.title = amp_recipe_title, .url = amp_recipe_url, .where = "Adding GradScaler"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = {.relative = 2e-2, .why = "FP16 keeps 11 bits of inputs, weights and gradients"},
    .naive_may_be_wrong = true,
});

}  // namespace microbench::precision_gradient_underflow
