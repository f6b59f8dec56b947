#include "workloads/stgym/model/pool_in_place.hpp"

#include "workloads/stgym/model/neighbour_sum.hpp"
#include "workloads/stgym/model/pool_fused_kernels.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include <iterator>

namespace workloads::stgym {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Each of them takes every so many nodes of a graph: enough to fill the largest devices.
constexpr int parts = 64;
constexpr int softmaxes = 2;

/// No features: S'h is the pooled nodes', which nobody reads.
PoolSizes sizes_of(const at::Tensor& logits, std::int64_t graphs) {
  return {logits.size(0), logits.size(1), 0, graphs, softmaxes};
}

/// S, its weighted squares, and S'S of each graph.
struct Assigned {
  at::Tensor s, weighted, ss;
};

Assigned assign(const at::Tensor& logits, const Batch& batch) {
  const auto graphs = std::ssize(batch.sizes);
  const auto k = logits.size(1);
  const auto sums = at::empty({parts, graphs, k, k}, logits.options());
  Assigned out{at::empty_like(logits), at::empty_like(batch.degree), {}};
  PoolForward<float> args;
  args.size = sizes_of(logits, graphs);
  args.offsets = batch.offsets.const_data_ptr<std::int64_t>();
  args.logits = logits.const_data_ptr<float>();
  args.degree = batch.degree.const_data_ptr<float>();
  args.s = out.s.data_ptr<float>();
  args.sums = sums.data_ptr<float>();
  args.weighted = out.weighted.data_ptr<float>();
  launch_pool_forward(args, parts, c10::cuda::getCurrentCUDAStream());
  out.ss = sums.sum(0);
  return out;
}

/// (A + A') S; adds up both traces by blocks.
at::Tensor neighbours_of(const Assigned& assigned, const Batch& batch, const at::Tensor& traces) {
  auto sum = at::empty_like(assigned.s);
  launch_neighbour_assignment({neighbour_rows(*batch.neighbours, batch.rows), sum.size(0), sum.size(1),
                               assigned.s.const_data_ptr<float>(), assigned.weighted.const_data_ptr<float>(),
                               sum.data_ptr<float>(), traces.data_ptr<float>(), summing_blocks},
                              c10::cuda::getCurrentCUDAStream());
  return sum;
}

/// S, MinCut's loss and the ortho loss.
struct PoolLosses : torch::autograd::Function<PoolLosses> {
  static variable_list forward(AutogradContext* context, const at::Tensor& logits, const Batch& batch) {
    const auto graphs = std::ssize(batch.sizes);
    const auto assigned = assign(logits, batch);
    const auto traces = at::empty({summing_blocks, 2}, logits.options());
    const auto neighbours = neighbours_of(assigned, batch, traces);
    const auto losses = at::empty({2}, logits.options());
    const auto sums = at::empty({2}, logits.options());
    launch_pool_ends(
        {graphs, logits.size(1), assigned.ss.const_data_ptr<float>(), traces.const_data_ptr<float>(),
         summing_blocks, losses.data_ptr<float>(), sums.data_ptr<float>()},
        c10::cuda::getCurrentCUDAStream());
    context->save_for_backward(
        {logits, assigned.s, neighbours, batch.offsets, batch.degree, assigned.ss, sums});
    return {assigned.s, losses[0], losses[1]};
  }

  static variable_list backward(AutogradContext* context, const variable_list& by) {
    const auto saved = context->get_saved_variables();
    const auto &logits = saved[0], &ss = saved[5];
    const auto of_traces = at::empty({2}, logits.options());
    const auto of_ss = at::empty_like(ss);
    const auto stream = c10::cuda::getCurrentCUDAStream();
    launch_pool_ends_backward(
        {ss.size(0), ss.size(1), ss.const_data_ptr<float>(), saved[6].const_data_ptr<float>(),
         by[1].const_data_ptr<float>(), by[2].const_data_ptr<float>(), of_traces.data_ptr<float>(),
         of_ss.data_ptr<float>()},
        stream);
    const auto of_s = by[0].contiguous();
    auto of_logits = at::empty_like(logits);
    PoolBackward<float> args;
    args.size = sizes_of(logits, ss.size(0));
    args.offsets = saved[3].const_data_ptr<std::int64_t>();
    args.logits = logits.const_data_ptr<float>();
    args.degree = saved[4].const_data_ptr<float>();
    args.s = saved[1].const_data_ptr<float>();
    args.neighbours = saved[2].const_data_ptr<float>();
    args.of_s = of_s.const_data_ptr<float>();
    args.of_inside = of_traces.const_data_ptr<float>();
    args.of_weighted = of_traces.const_data_ptr<float>() + 1;
    args.of_ss = of_ss.const_data_ptr<float>();
    args.of_logits = of_logits.data_ptr<float>();
    launch_pool_backward(args, stream);
    return {of_logits, {}};
  }
};

}  // namespace

Pooled pool_in_place(const at::Tensor& logits, const Batch& batch) {
  const auto out = PoolLosses::apply(logits.contiguous(), batch);
  Pooled pooled;
  pooled.soft = out[0];
  pooled.mincut_loss = out[1];
  pooled.ortho_loss = out[2];
  return pooled;
}

}  // namespace workloads::stgym
