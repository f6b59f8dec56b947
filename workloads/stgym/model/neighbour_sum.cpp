#include "workloads/stgym/model/neighbour_sum.hpp"

#include "workloads/stgym/model/neighbour_rows.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include <utility>

namespace workloads::stgym {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

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

struct LinearRelu : torch::autograd::Function<LinearRelu> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const at::Tensor& bias) {
    const auto out = at::_addmm_activation(bias, x, weight.t());
    context->save_for_backward({x, weight, out});
    return out;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto [masked, of_bias] = backward_of(gradients[0], saved[2], {});
    return {context->needs_input_grad(0) ? at::mm(masked, saved[1]) : at::Tensor(),
            at::mm(masked.t(), saved[0]), of_bias};
  }
};

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

}  // namespace

bool fused_linear_fits(const at::Tensor& x, const at::Tensor& weight) {
  constexpr std::int64_t vector = 4;
  return x.is_cuda() && x.scalar_type() == at::kFloat && weight.size(0) <= most_summed_width &&
         weight.size(0) % vector == 0;
}

at::Tensor linear_relu(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return LinearRelu::apply(x, weight, bias);
}

at::Tensor neighbour_sum(const at::Tensor& y, const at::Tensor& bias, const Batch& batch) {
  return SumOfNeighbours::apply(y, bias, batch);
}

}  // namespace workloads::stgym
