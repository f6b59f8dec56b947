#include "workloads/stgym/model/pool_fused.hpp"

#include "workloads/stgym/model/pool_by_segment.hpp"
#include "workloads/stgym/model/pool_fused_kernels.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include <iterator>
#include <type_traits>

namespace workloads::stgym {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Each of them takes every so many nodes of a graph: enough to fill the largest devices.
constexpr int device_parts = 64;

/// What both passes read and nobody asks a gradient of.
struct Fixed {
  at::Tensor offsets;  // [B + 1] int64
  at::Tensor degree;   // [N]: column sums of A
  PoolSizes size;
};

/// (A + A') S within the graphs: [N, K]. Half of its product with S is the trace, and it is the trace's
/// gradient.
at::Tensor neighbours_of(const PoolSumsInput& in, const at::Tensor& s) {
  auto sum = at::zeros_like(s);
  const auto ends = in.adjacency.indices();
  if (ends.size(1) == 0) return sum;
  const auto graph_of_end = in.graph_of.index_select(0, ends.view({-1})).view({2, -1});
  const auto inside =
      (in.adjacency.values() * graph_of_end[0].eq(graph_of_end[1])).to(s.scalar_type()).unsqueeze(1);
  sum.index_add_(0, ends[0], s.index_select(0, ends[1]) * inside);
  return sum.index_add_(0, ends[1], s.index_select(0, ends[0]) * inside);
}

Fixed fixed_of(const PoolSumsInput& in) {
  const auto weights = in.adjacency.values().to(in.h.scalar_type());
  // Found on the device: the sizes on the host would have to be copied there.
  const auto offsets = at::searchsorted(in.graph_of, at::arange(in.graphs + 1, in.graph_of.options()));
  const auto degree =
      at::zeros({in.h.size(0)}, in.h.options()).index_add_(0, in.adjacency.indices()[1], weights);
  return {offsets, degree, {in.h.size(0), in.logits.size(1), in.h.size(1), in.graphs, in.softmaxes}};
}

/// Sums over the parts: [B, K, K + H].
template <class T>
at::Tensor run_forward(PoolForward<T> args, const at::TensorOptions& options) {
  const PoolSizes& size = args.size;
  if constexpr (std::is_same_v<T, float>)
    if (options.device().is_cuda()) {
      const at::Tensor sums =
          at::empty({device_parts, size.graphs, size.clusters, size.clusters + size.features}, options);
      args.sums = sums.data_ptr<T>();
      launch_pool_forward(args, device_parts, c10::cuda::getCurrentCUDAStream());
      return sums.sum(0);
    }
  const std::int64_t parts = at::get_num_threads();
  const at::Tensor sums =
      at::zeros({parts, size.graphs, size.clusters, size.clusters + size.features}, options);
  args.sums = sums.data_ptr<T>();
  at::parallel_for(0, parts, 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto part = begin; part < end; ++part) pool_forward(args, part, parts);
  });
  return sums.sum(0);
}

template <class T>
void run_backward(const PoolBackward<T>& args, const at::Device& device) {
  if constexpr (std::is_same_v<T, float>)
    if (device.is_cuda()) return launch_pool_backward(args, c10::cuda::getCurrentCUDAStream());
  constexpr std::int64_t grain = 256;
  at::parallel_for(0, args.size.nodes, grain,
                   [&](std::int64_t begin, std::int64_t end) { pool_backward(args, begin, end); });
}

template <class T>
variable_list forward_as(const at::Tensor& h, const at::Tensor& logits, const Fixed& fixed) {
  const auto s = at::empty_like(logits);
  const auto weighted = at::empty_like(fixed.degree);
  PoolForward<T> args;
  args.size = fixed.size;
  args.offsets = fixed.offsets.const_data_ptr<std::int64_t>();
  args.h = h.const_data_ptr<T>();
  args.logits = logits.const_data_ptr<T>();
  args.degree = fixed.degree.const_data_ptr<T>();
  args.s = s.data_ptr<T>();
  args.weighted = weighted.data_ptr<T>();
  const auto sums = run_forward(args, h.options());
  const auto k = fixed.size.clusters;
  return {s, weighted.sum(), sums.narrow(2, 0, k).contiguous(),
          sums.narrow(2, k, fixed.size.features).contiguous()};
}

/// The gradients by the outputs, in the order of Sums::forward's.
struct Incoming {
  at::Tensor s, inside, ends, ss, sh;
};

template <class T>
variable_list backward_as(const variable_list& saved, const Incoming& by, const PoolSizes& size) {
  const auto &h = saved[0], &logits = saved[1], &s = saved[2];
  const auto of_logits = at::empty_like(logits);
  const auto of_h = at::empty_like(h);
  PoolBackward<T> args;
  args.size = size;
  args.offsets = saved[4].const_data_ptr<std::int64_t>();
  args.h = h.const_data_ptr<T>();
  args.logits = logits.const_data_ptr<T>();
  args.degree = saved[5].const_data_ptr<T>();
  args.s = s.const_data_ptr<T>();
  args.neighbours = saved[3].const_data_ptr<T>();
  args.of_s = by.s.const_data_ptr<T>();
  args.of_inside = by.inside.const_data_ptr<T>();
  args.of_weighted = by.ends.const_data_ptr<T>();
  args.of_ss = by.ss.const_data_ptr<T>();
  args.of_sh = by.sh.const_data_ptr<T>();
  args.of_logits = of_logits.data_ptr<T>();
  args.of_h = of_h.data_ptr<T>();
  run_backward(args, h.device());
  return {of_h, of_logits};
}

struct Sums : torch::autograd::Function<Sums> {
  static variable_list forward(AutogradContext* context, const at::Tensor& h, const at::Tensor& logits,
                               const PoolSumsInput& in) {
    const auto fixed = fixed_of(in);
    const bool wide = h.scalar_type() == at::kDouble;
    auto out = wide ? forward_as<double>(h, logits, fixed) : forward_as<float>(h, logits, fixed);
    const auto neighbours = neighbours_of(in, out[0]);
    context->save_for_backward({h, logits, out[0], neighbours, fixed.offsets, fixed.degree});
    context->saved_data["graphs"] = fixed.size.graphs;
    context->saved_data["softmaxes"] = static_cast<std::int64_t>(fixed.size.softmaxes);
    out.insert(out.begin() + 1, (out[0] * neighbours).sum() / 2);
    return out;
  }

  static variable_list backward(AutogradContext* context, const variable_list& by) {
    const auto saved = context->get_saved_variables();
    const auto &h = saved[0], &logits = saved[1];
    const PoolSizes size{h.size(0), logits.size(1), h.size(1), context->saved_data["graphs"].toInt(),
                         static_cast<int>(context->saved_data["softmaxes"].toInt())};
    // Where nobody reads an output, autograd gives zeros.
    const Incoming in{by[0].contiguous(), by[1], by[2], (by[3] + by[3].transpose(1, 2)).contiguous(),
                      by[4].contiguous()};
    auto out = h.scalar_type() == at::kDouble ? backward_as<double>(saved, in, size)
                                              : backward_as<float>(saved, in, size);
    out.emplace_back();  // the input's plain data
    return out;
  }
};

}  // namespace

PoolSums pool_sums(const PoolSumsInput& in) {
  const auto out = Sums::apply(in.h.contiguous(), in.logits.contiguous(), in);
  return {out[0], out[1], out[2], out[3], out[4]};
}

bool fused_pooling_fits(const PoolingInput& in) {
  return in.kind == PoolingKind::mincut && in.s.size(1) <= most_clusters &&
         !in.adjacency.values().requires_grad() && (!in.h.is_cuda() || in.h.size(1) <= most_device_features);
}

Pooled pool_fused(const PoolingInput& in, int softmaxes) {
  const auto graphs = std::ssize(in.sizes);
  const auto sums = pool_sums({in.h, in.s, in.adjacency, in.graph_of, graphs, softmaxes});
  Pooled out;
  out.soft = sums.s;
  out.mincut_loss = -(sums.inside / sums.ends);
  out.ortho_loss = mean_ortho_loss(sums.ss);
  out.out_x = sums.sh.flatten(0, 1);
  out.out_batch = cluster_graphs(in);
  if (in.graph_is_read) add_pooled_graph(in, sums.s, out);
  return out;
}

}  // namespace workloads::stgym
