#include "workloads/stgym/model/neighbour_sum.hpp"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <utility>

namespace workloads::stgym {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t vector = 4;  // numbers of a kernel's load

/// By y and by the bias, from the gradient by what a ReLU gave.
std::pair<at::Tensor, at::Tensor> backward_of(const at::Tensor& given, const at::Tensor& out,
                                              const NeighbourRows& neighbours) {
  const auto gradient = given.contiguous();
  const auto of_y = at::empty_like(out);
  const auto of_bias = at::empty({summing_blocks, out.size(1)}, out.options());
  launch_neighbour_sum_backward(
      {neighbours, out.size(0), out.size(1), gradient.const_data_ptr<float>(), out.const_data_ptr<float>(),
       of_y.data_ptr<float>(), of_bias.data_ptr<float>(), summing_blocks},
      c10::cuda::getCurrentCUDAStream());
  return {of_y, of_bias.sum(0)};
}

struct SumOfNeighbours : torch::autograd::Function<SumOfNeighbours> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& y, const at::Tensor& bias,
                            const Batch& batch) {
    const auto out = at::empty_like(y);
    launch_neighbour_sum({neighbour_rows(*batch.neighbours, batch.rows), y.size(0), y.size(1),
                          y.const_data_ptr<float>(), bias.const_data_ptr<float>(), out.data_ptr<float>()},
                         c10::cuda::getCurrentCUDAStream());
    const auto& all = *batch.neighbours;
    context->save_for_backward({out, batch.rows, all.begin, all.end, all.weight});
    return out;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const ResidentNeighbours all{saved[2], saved[3], saved[4], {}};
    const auto [of_y, of_bias] = backward_of(gradients[0], saved[0], neighbour_rows(all, saved[1]));
    return {of_y, of_bias, {}};
  }
};

PickedRows picked(const at::Tensor& x, const at::Tensor& rows) {
  TORCH_CHECK(x.is_contiguous(), "rows that are picked must lie one behind the other");
  return {x.const_data_ptr(), rows.const_data_ptr<std::int64_t>(), rows.size(0), x.size(1)};
}

Digits digits_for(const at::Tensor& x, bool on_tensor_cores) {
  if (x.scalar_type() == at::kBFloat16) {
    TORCH_CHECK(tensor_cores_take_tf32(x.device()), "no tensor cores of this device take BF16");
    return Digits::bf16;
  }
  if (!on_tensor_cores || !tensor_cores_take_tf32(x.device())) return Digits::fp32;
  const bool highest = at::globalContext().float32MatmulPrecision() == at::Float32MatmulPrecision::HIGHEST;
  return highest ? Digits::three_times_tf32 : Digits::tf32;
}

/// The weight's gradient, from the one by a product with it.
at::Tensor weight_gradient(const PickedRows& picked, const at::Tensor& gradient, const at::Tensor& weight,
                           Digits digits) {
  const auto parts = gradient_parts(weight.size(0), picked.width, digits,
                                    at::cuda::getCurrentDeviceProperties()->multiProcessorCount);
  const auto partial = at::empty({parts, weight.size(0), weight.size(1)}, weight.options());
  launch_gathered_gradient(
      {picked, gradient.const_data_ptr(), partial.data_ptr<float>(), weight.size(0), parts}, digits,
      at::cuda::getCurrentCUDAStream());
  return partial.sum(0);
}

struct GatheredProductFunction : torch::autograd::Function<GatheredProductFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& rows,
                            const at::Tensor& weight, bool on_tensor_cores) {
    context->save_for_backward({x, rows, weight});
    context->saved_data["on_tensor_cores"] = on_tensor_cores;
    const auto out = at::empty({rows.size(0), weight.size(0)}, weight.options());
    const auto factor = weight.to(x.scalar_type());
    launch_gathered_product({picked(x, rows), factor.const_data_ptr(), out.data_ptr<float>(), weight.size(0)},
                            digits_for(x, on_tensor_cores), at::cuda::getCurrentCUDAStream());
    return out;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto& x = saved[0];
    const auto digits = digits_for(x, context->saved_data["on_tensor_cores"].toBool());
    const auto factor = gradients[0].contiguous().to(x.scalar_type());
    return {{}, {}, weight_gradient(picked(x, saved[1]), factor, saved[2], digits), {}};
  }
};

PickedRows all_rows(const at::Tensor& x) { return {x.const_data_ptr(), nullptr, x.size(0), x.size(1)}; }

/// x W' on tensor cores, with the bias and the ReLU where they are asked for.
at::Tensor tensor_core_product(const at::Tensor& x, const at::Tensor& weight, const float* bias, bool relu,
                               Digits digits) {
  const auto out = at::empty({x.size(0), weight.size(0)}, x.options());
  launch_gathered_product(
      {all_rows(x), weight.const_data_ptr(), out.data_ptr<float>(), weight.size(0), bias, relu}, digits,
      at::cuda::getCurrentCUDAStream());
  return out;
}

/// A layer, with its ReLU or without: the library's products, or those on tensor cores.
struct DenseLayer : torch::autograd::Function<DenseLayer> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const at::Tensor& bias, bool relu, bool on_tensor_cores) {
    const auto digits =
        digits_for(x, on_tensor_cores && x.size(1) % vector == 0 && weight.size(0) % vector == 0);
    const auto out = digits != Digits::fp32
                         ? tensor_core_product(x, weight, bias.const_data_ptr<float>(), relu, digits)
                     : relu ? at::_addmm_activation(bias, x, weight.t())
                            : at::addmm(bias, x, weight.t());
    context->save_for_backward({x, weight, relu ? out : at::Tensor()});
    context->saved_data["relu"] = relu;
    context->saved_data["on_tensor_cores"] = digits != Digits::fp32;
    return out;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &weight = saved[1];
    const auto digits = digits_for(x, context->saved_data["on_tensor_cores"].toBool());
    const auto given = gradients[0].contiguous();
    const auto [of_sum, of_bias] = context->saved_data["relu"].toBool() ? backward_of(given, saved[2], {})
                                                                        : std::pair(given, given.sum(0));
    at::Tensor of_x;
    if (context->needs_input_grad(0))
      of_x = digits == Digits::fp32
                 ? at::mm(of_sum, weight)
                 : tensor_core_product(of_sum, weight.t().contiguous(), nullptr, false, digits);
    const auto of_weight =
        digits == Digits::fp32 ? at::mm(of_sum.t(), x) : weight_gradient(all_rows(x), of_sum, weight, digits);
    return {of_x, of_weight, of_bias, {}, {}};
  }
};

}  // namespace

bool fused_linear_fits(const at::Tensor& x, const at::Tensor& weight) {
  return x.is_cuda() && x.scalar_type() == at::kFloat && weight.size(0) <= most_summed_width &&
         weight.size(0) % vector == 0;
}

at::Tensor linear_relu(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                       bool on_tensor_cores) {
  return DenseLayer::apply(x.contiguous(), weight, bias, true, on_tensor_cores);
}

at::Tensor linear_on_tensor_cores(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return DenseLayer::apply(x.contiguous(), weight, bias, false, true);
}

at::Tensor neighbour_sum(const at::Tensor& y, const at::Tensor& bias, const Batch& batch) {
  return SumOfNeighbours::apply(y, bias, batch);
}

bool tensor_cores_take_tf32(at::Device device) {
  constexpr int first = 8;
  return at::cuda::getDeviceProperties(device.index())->major >= first;
}

at::Tensor gathered_product(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& weight,
                            bool on_tensor_cores) {
  return GatheredProductFunction::apply(x, rows, weight.contiguous(), on_tensor_cores);
}

double gathered_product_error(const at::Tensor& x, bool on_tensor_cores, bool rounded) {
  constexpr std::int64_t most_rows = 1024, outputs = 128;
  const c10::NoGradGuard no_gradients;
  const auto first = x.narrow(0, 0, std::min(most_rows, x.size(0)));
  const auto rows = at::arange(first.size(0), x.options().dtype(at::kLong));
  const auto weight = at::linspace(-1, 1, outputs * x.size(1), x.options()).view({outputs, -1}).sin();
  const auto exact = at::mm(first.to(at::kDouble), weight.to(at::kDouble).t());
  const auto product =
      gathered_product(rounded ? first.to(at::kBFloat16) : first, rows, weight, on_tensor_cores);
  return ((product - exact).norm() / exact.norm()).item<double>();
}

}  // namespace workloads::stgym
