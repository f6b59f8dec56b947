// Choose for checkpoints what is cheap to compute again: the activation, not the product before it.
//
// Question: A layer keeps two tensors of one size for its backward pass. Which one would you rather compute
// again, and how much does the wrong choice cost at 32 columns, and at 512?
//
// A layer gelu(x w) keeps the input of the product and the input of GELU. Each can be computed from the
// other: GELU's input is the product, and the next product's input is GELU of it. So one of the two need not
// be kept, and the peak of memory falls by nearly the same amount either way. What differs is the work that
// the backward pass repeats: a product of `width` multiplications for each value, or one pass over memory.
//
// When it does not matter: if the layers are so narrow that a product is as cheap as GELU (`width:32`), and
// where memory is not short: then keep both. Up- and downsampling, dropout masks and normalizations are other
// targets of this kind: large results of little work.
//
// The first side computes the product again, the second computes GELU again. The verdict is about the time;
// the peaks of memory stand beside it and should be close to each other. LibTorch has no checkpoint function
// for C++; this file writes both as autograd functions.
//
// Answer: GELU's result: it costs one pass over memory, whatever the width. A product costs `width`
// multiplications for each value, so the wrong choice is nearly free at 32 columns and costs far more at
// 512. The memory saved is the same.

#include "microbench/autograd/autograd_layers.hpp"
#include "microbench/tip.hpp"

#include <torch/csrc/autograd/custom_function.h>

namespace microbench::autograd_checkpoint_target {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t depth = 8;
constexpr std::int64_t values = 1 << 19;  // of an activation
constexpr Axis axes[] = {{.name = "width", .about = "columns of each layer", .values = {32, 512}}};

/// gelu(x w) that keeps x and computes the product again.
struct ProductAgain : torch::autograd::Function<ProductAgain> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& w) {
    context->save_for_backward({x, w});
    return at::gelu(at::mm(x, w));
  }
  static variable_list backward(AutogradContext* context, const variable_list& of_output) {
    const auto saved = context->get_saved_variables();
    const auto of_product = at::gelu_backward(of_output[0], at::mm(saved[0], saved[1]));
    return {at::mm(of_product, saved[1].t()), at::mm(saved[0].t(), of_product)};
  }
};

/// gelu(z) w that keeps z and computes GELU again.
struct ActivationAgain : torch::autograd::Function<ActivationAgain> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& z, const at::Tensor& w) {
    context->save_for_backward({z, w});
    return at::mm(at::gelu(z), w);
  }
  static variable_list backward(AutogradContext* context, const variable_list& of_output) {
    const auto saved = context->get_saved_variables();
    const auto of_activation = at::mm(of_output[0], saved[1].t());
    const auto of_weight = at::mm(at::gelu(saved[0]).t(), of_output[0]);
    return {at::gelu_backward(of_activation, saved[0]), of_weight};
  }
};

at::Tensor product_again(at::Tensor x, const at::Tensor& weights) {
  for (const auto& w : weights.unbind()) x = ProductAgain::apply(x, w);
  return x;
}

/// The first product and the last GELU stand outside of the pairs.
at::Tensor activation_again(const at::Tensor& x, const at::Tensor& weights) {
  const auto layers = weights.unbind();
  auto z = at::mm(x, layers.front());
  for (std::size_t i = 1; i < layers.size(); ++i) z = ActivationAgain::apply(z, layers[i]);
  return at::gelu(z);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto width = point["width"];
  const auto s = std::make_shared<Layers>(setup, depth, width, values / width);
  const auto train = [s](auto forward) {
    Layers::backward(forward(s->input, s->weights));
    s->take_gradient();
  };
  return gradient_trial(s, [train] { train(product_again); }, [train] { train(activation_again); });
}

constexpr RowCost costs[] = {{"width:512", 35}};

extern constexpr Step step = checked({
    .id = "autograd/checkpoint_target",
    .claim = "Computing an activation again is cheaper than computing a product again.",
    .claim_ids = "grad-checkpoint-target",
    .sides = {"product again", "activation again"},
    .source = tuning_guide("Checkpoint intermediate buffers"),
    .axes = axes,
    .prepare = prepare,
    .expectation =
        {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps, .about = "width:512"},
    .tolerance = {.relative = 1e-4, .why = "the library may choose its kernel by the alignment of addresses"},
    .row_seconds = 6,
    .other_costs = costs,
});

}  // namespace microbench::autograd_checkpoint_target
