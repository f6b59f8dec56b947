#include "workloads/stgym/model/gathered_product.hpp"

#include "workloads/stgym/model/gathered_product_kernels.hpp"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

namespace workloads::stgym {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

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

struct GatheredProductFunction : torch::autograd::Function<GatheredProductFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& rows,
                            const at::Tensor& weight) {
    context->save_for_backward({x, rows, weight});
    const auto out = at::empty({rows.size(0), weight.size(0)}, x.options());
    launch_gathered_product(
        {picked(x, rows), weight.const_data_ptr<float>(), out.data_ptr<float>(), weight.size(0)},
        at::cuda::getCurrentCUDAStream());
    return out;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &rows = saved[1], &weight = saved[2];
    const auto gradient = gradients[0].contiguous();
    const auto parts = parts_of(rows.size(0), weight.size(0), x.size(1));
    const auto partial = at::empty({parts, weight.size(0), weight.size(1)}, weight.options());
    launch_gathered_gradient(
        {picked(x, rows), gradient.const_data_ptr<float>(), partial.data_ptr<float>(), weight.size(0), parts},
        at::cuda::getCurrentCUDAStream());
    return {{}, {}, partial.sum(0)};
  }
};

}  // namespace

at::Tensor gathered_product(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& weight) {
  return GatheredProductFunction::apply(x, rows, weight.contiguous());
}

}  // namespace workloads::stgym
