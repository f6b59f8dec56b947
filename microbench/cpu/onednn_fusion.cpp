// Let oneDNN apply the activation within the convolution or product instead of after it.
//
// Question: A ReLU after a 1 x 1 convolution, or within it: what share of the layer is the ReLU, and what
// share is it after a product?
//
// oneDNN computes a result block by block in registers. If it knows that a ReLU follows, it applies the ReLU
// there, before it writes the block: the activation costs next to nothing. As a separate operator the ReLU
// reads the whole result from memory again, changes it and writes it back, and its call has a price as well.
// oneDNN Graph finds such neighbors in a model that TorchScript has recorded, which is deprecated. Today
// torch.compile puts the fused operators in, if the weights are constants (`torch._inductor.config.freezing =
// True`, without gradients): those of convolutions in any type, those of products where oneDNN computes them,
// which in FP32 MKL mostly does. This step calls the fused operators themselves: fusing saves the same,
// whoever decides on it.
//
// When it does not matter: where the convolution or product takes so long (many channels, 3 x 3 windows) that
// one more pass over its result is little; where the result stays in the cache between the two. It is for
// inference: training needs what lies between the two operators.
//
// A row measures one layer in FP32: a 1 x 1 convolution of four images, or a product of 2048 rows, and its
// ReLU in place. Both sides call the same oneDNN operator, the first side with the attribute "none" followed
// by a ReLU, the second with "relu".
//
// Answer: A few percent of either: the ReLU is one more pass over the result, and both layers multiply 64
// numbers for each value of it. On two cores of an EPYC (commit 03cee4c) the product took 491 us without and
// 5 % less with the ReLU in it; of the convolution, 1.30 ms, it could not be told.

#include "harness/libtorch/generator.hpp"

#include "microbench/tip.hpp"

#include <ATen/core/List.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

namespace microbench::cpu_onednn_fusion {

constexpr Axis axes[] = {
    {.name = "layer",
     .about =
         "convolution: 1 x 1, 64 channels, four images of 56 x 56; linear: 2048 rows, 64 to 512 features",
     .labels = {"convolution", "linear"}},
};

/// One of LibTorch's oneDNN operators, which have no C++ function of their own.
c10::OperatorHandle find(const std::string& name) {
  auto found = c10::Dispatcher::singleton().findSchema({name, ""});
  if (!found || !at::hasMKLDNN()) throw Skip("this LibTorch has no oneDNN operators");
  return *found;
}

struct State {
  c10::OperatorHandle layer;
  bool convolution = false;
  at::Tensor x, weight, bias, out;

  at::Tensor call(const char* activation) const {
    std::vector<c10::IValue> stack{x, weight, bias};
    const std::vector<std::int64_t> none{0, 0};
    const std::vector<std::int64_t> one{1, 1};
    if (convolution)  // padding, stride, dilation, groups
      stack.insert(stack.end(), {none, one, one, std::int64_t{1}});
    stack.insert(stack.end(), {activation, c10::List<std::optional<at::Scalar>>(), c10::IValue()});
    layer.callBoxed(stack);
    return stack.at(0).toTensor();
  }
};

Trial prepare(Setup& setup, const Point& point) {
  const bool convolution = point["layer"] == 0;
  auto random = host_generator(setup.seed);
  const auto of = [&](at::IntArrayRef shape) {
    return at::randn(shape, random, at::TensorOptions().dtype(at::kFloat));
  };
  const auto s = std::make_shared<State>(State{
      .layer = find(convolution ? "mkldnn::_convolution_pointwise" : "mkldnn::_linear_pointwise"),
      .convolution = convolution,
      .x = convolution ? of({4, 64, 56, 56}) : of({2048, 64}),
      .weight = convolution ? of({64, 64, 1, 1}) : of({512, 64}),
      .bias = of({convolution ? 64 : 512}),
      .out = at::zeros({1}),
  });

  return {
      .naive = [s] { s->out = s->call("none").relu_(); },
      .optimized = [s] { s->out = s->call("relu"); },
      .clear = [s] { s->out = at::full({1}, -1); },
      .answer = [s](Form) { return numbers_of(s->out); },
  };
}

extern constexpr Step step = checked({
    .id = "cpu/onednn_fusion",
    .claim = "A ReLU within oneDNN's convolution or product is faster than one after it.",
    .claim_ids = "cpu-onednn-fusion",
    .sides = {"ReLU after it", "ReLU within"},
    .source = tuning_guide("CPU specific optimizations, Use oneDNN Graph with PyTorch for inference"),
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = {.relative = 1e-5, .why = "oneDNN may pick another kernel, which adds up in another order"},
});

}  // namespace microbench::cpu_onednn_fusion
