#include "workloads/stgym/products.hpp"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>

#include <optional>
#include <string_view>

namespace workloads::stgym {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// at::linear takes FP32 to the BLAS library. LibTorch calls oneDNN's inner product by this name when it
/// compiles a model; it has no gradient of its own.
using InnerProduct = at::Tensor(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
                                std::string_view, c10::List<std::optional<at::Scalar>>,
                                std::optional<std::string_view>);

std::optional<c10::OperatorHandle> inner_product() {
  return c10::Dispatcher::singleton().findSchema({"mkldnn::_linear_pointwise", ""});
}

at::Tensor product(const at::Tensor& x, const at::Tensor& weight,
                   const std::optional<at::Tensor>& bias = std::nullopt) {
  const auto call = inner_product()->typed<InnerProduct>();
  return call.call(x, weight, bias, "none", c10::List<std::optional<at::Scalar>>(), "");
}

struct OnednnLinear : torch::autograd::Function<OnednnLinear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const std::optional<at::Tensor>& bias) {
    context->save_for_backward({x, weight});
    context->saved_data["bias"] = bias.has_value();
    return product(x, weight, bias);
  }
  /// Two more products; the one for x only where somebody asks for it.
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto g = gradients[0].contiguous();
    return {context->needs_input_grad(0) ? product(g, saved[1].t()) : at::Tensor(),
            product(g.t(), saved[0].t()), context->saved_data["bias"].toBool() ? g.sum(0) : at::Tensor()};
  }
};

bool by_onednn(const at::Tensor& x, const Switches& switches) {
  return switches.onednn_products && !switches.bf16 && onednn_multiplies(x);
}

}  // namespace

bool onednn_multiplies(const at::Tensor& x) {
  return x.is_cpu() && x.scalar_type() == at::kFloat && at::hasMKLDNN() && inner_product().has_value();
}

at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return OnednnLinear::apply(x, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

at::Tensor map(const Linear& layer, const at::Tensor& x, const Switches& switches) {
  if (by_onednn(x, switches)) return onednn_linear(x, layer.weight, layer.bias);
  return layer(x);
}

at::Tensor project(const Linear& layer, const at::Tensor& x, const Switches& switches) {
  if (by_onednn(x, switches)) return onednn_linear(x, layer.weight, {});
  return at::mm(x, layer.weight.t());
}

at::Tensor single(const at::Tensor& x) { return x.scalar_type() == at::kBFloat16 ? x.to(at::kFloat) : x; }

}  // namespace workloads::stgym
