#include "workloads/stgym/model/neighbour_sum.hpp"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <optional>
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

PickedRows picked(const at::Tensor& x, const at::Tensor& rows) {
  return {x.const_data_ptr<float>(), rows.const_data_ptr<std::int64_t>(), rows.size(0), x.size(1)};
}

/// The result is a few tiles only, so the rows are parted too: two blocks for each processor, and at least
/// 512 rows for a part.
int parts_of(std::int64_t rows, std::int64_t outputs, std::int64_t width) {
  constexpr std::int64_t tile = 128;
  constexpr std::int64_t blocks_each = 2;
  constexpr std::int64_t fewest_rows = 512;
  const auto tiles = ((outputs + tile - 1) / tile) * ((width + tile - 1) / tile);
  const auto wanted = blocks_each * at::cuda::getCurrentDeviceProperties()->multiProcessorCount / tiles;
  return static_cast<int>(std::max(std::int64_t{1}, std::min(wanted, rows / fewest_rows)));
}

/// What multiplies: nothing is FP32 arithmetic.
using Digits = std::optional<TensorCoreDigits>;

Digits digits_for(bool on_tensor_cores, at::Device device) {
  if (!on_tensor_cores || !tensor_cores_take_tf32(device)) return {};
  const bool highest = at::globalContext().float32MatmulPrecision() == at::Float32MatmulPrecision::HIGHEST;
  return highest ? TensorCoreDigits::three_times_tf32 : TensorCoreDigits::tf32;
}

void launch(const GatheredProduct& args, Digits digits, cudaStream_t stream) {
  digits ? launch_tensor_core_product(args, *digits, stream) : launch_gathered_product(args, stream);
}
void launch(const GatheredGradient& args, Digits digits, cudaStream_t stream) {
  digits ? launch_tensor_core_gradient(args, *digits, stream) : launch_gathered_gradient(args, stream);
}

struct GatheredProductFunction : torch::autograd::Function<GatheredProductFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& rows,
                            const at::Tensor& weight, bool on_tensor_cores) {
    context->save_for_backward({x, rows, weight});
    context->saved_data["on_tensor_cores"] = on_tensor_cores;
    const auto out = at::empty({rows.size(0), weight.size(0)}, x.options());
    launch(
        GatheredProduct{picked(x, rows), weight.const_data_ptr<float>(), out.data_ptr<float>(), weight.size(0)},
        digits_for(on_tensor_cores, x.device()), at::cuda::getCurrentCUDAStream());
    return out;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &rows = saved[1], &weight = saved[2];
    const auto gradient = gradients[0].contiguous();
    const auto parts = parts_of(rows.size(0), weight.size(0), x.size(1));
    const auto partial = at::empty({parts, weight.size(0), weight.size(1)}, weight.options());
    launch(GatheredGradient{picked(x, rows), gradient.const_data_ptr<float>(), partial.data_ptr<float>(),
                            weight.size(0), parts},
           digits_for(context->saved_data["on_tensor_cores"].toBool(), x.device()), at::cuda::getCurrentCUDAStream());
    return {{}, {}, partial.sum(0), {}};
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

bool tensor_cores_take_tf32(at::Device device) {
  constexpr int first = 8;
  return at::cuda::getDeviceProperties(device.index())->major >= first;
}

at::Tensor gathered_product(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& weight,
                            bool on_tensor_cores) {
  return GatheredProductFunction::apply(x, rows, weight.contiguous(), on_tensor_cores);
}

}  // namespace workloads::stgym
