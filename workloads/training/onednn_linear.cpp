#include "workloads/training/onednn_linear.hpp"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace workloads::training {
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

/// The same, so many rows at a time. What a row costs oneDNN's kernel depends on how many there are, as it
/// looks for a block that divides them: of 35,936 (32 times a prime) each took a quarter longer than of
/// 33,600 or of 48,000, with oneDNN 3.10 and AVX-512. In blocks of a power of two it costs the same for any
/// number.
at::Tensor product_of_rows(const at::Tensor& x, const at::Tensor& weight,
                           const std::optional<at::Tensor>& bias = std::nullopt) {
  constexpr std::int64_t most = 8192;
  const auto rows = x.size(0);
  if (rows <= most) return product(x, weight, bias);
  auto out = at::empty({rows, weight.size(0)}, x.options());
  for (std::int64_t begin = 0; begin < rows; begin += most) {
    const auto count = std::min(most, rows - begin);
    out.narrow(0, begin, count).copy_(product(x.narrow(0, begin, count), weight, bias));
  }
  return out;
}

struct OnednnLinear : torch::autograd::Function<OnednnLinear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const std::optional<at::Tensor>& bias) {
    context->save_for_backward({x, weight});
    context->saved_data["bias"] = bias.has_value();
    return product_of_rows(x, weight, bias);
  }
  /// Two more products; the one for x only where somebody asks for it.
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto g = gradients[0].contiguous();
    return {context->needs_input_grad(0) ? product_of_rows(g, saved[1].t()) : at::Tensor(),
            product(g.t(), saved[0].t()), context->saved_data["bias"].toBool() ? g.sum(0) : at::Tensor()};
  }
};

}  // namespace

bool onednn_multiplies(const at::Tensor& x) {
  return x.is_cpu() && x.scalar_type() == at::kFloat && at::hasMKLDNN() && inner_product().has_value();
}

at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return OnednnLinear::apply(x, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

}  // namespace workloads::training
