#include "workloads/stgym/model/pool_by_segment.hpp"

#include "workloads/stgym/model/neighbour_sum.hpp"
#include "workloads/stgym/model/pool_fused_kernels.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>
#include <iterator>
#include <numeric>

namespace workloads::stgym {
namespace {

void check_sizes(const PoolingInput& in) {
  const auto nodes = std::accumulate(in.sizes.begin(), in.sizes.end(), std::int64_t{0});
  TORCH_CHECK(in.s.size(0) == nodes && in.graph_of.size(0) == nodes,
              "the graphs do not end at the last node");
}

/// Per graph a' b, of the rows of the graph: [B, columns of a, columns of b].
at::Tensor products(at::TensorList a, at::TensorList b) {
  std::vector<at::Tensor> blocks;
  for (std::size_t graph = 0; graph < a.size(); ++graph) blocks.push_back(at::mm(a[graph].t(), b[graph]));
  return at::stack(blocks);
}

/// Rows of S at the far ends of the edges, times their weights.
at::Tensor terms_of(const at::Tensor& adjacency, const at::Tensor& s, const at::Tensor& weights) {
  return s.index_select(0, adjacency.indices()[1]) * weights.unsqueeze(1);
}

/// A S within the graphs. A sparse product would sort the entries of A' in the backward pass.
at::Tensor sum_of_neighbours(const PoolingInput& in, const at::Tensor& s) {
  const auto graph_of_end = in.graph_of.index_select(0, in.adjacency.indices().view({-1})).view({2, -1});
  const auto inside = in.adjacency.values() * graph_of_end[0].eq(graph_of_end[1]);
  return at::zeros_like(s).index_add(0, in.adjacency.indices()[0], terms_of(in.adjacency, s, inside));
}

/// C' A C: [B K, B K]. No edge of a batch leaves its graph, but the layer takes those that do, and they fill
/// blocks beside the diagonal; so A C is summed up with B K columns, which costs a few % of a step.
at::Tensor pooled_adjacency(const PoolingInput& in, const at::Tensor& s) {
  const auto graphs = std::ssize(in.sizes);
  const auto ends = in.adjacency.indices();
  const auto place = ends[0] * graphs + in.graph_of.index_select(0, ends[1]);
  const auto ac = at::zeros({s.size(0) * graphs, s.size(1)}, s.options())
                      .index_add(0, place, terms_of(in.adjacency, s, in.adjacency.values()))
                      .view({s.size(0), -1});
  return products(s.split_with_sizes(in.sizes), ac.split_with_sizes(in.sizes)).flatten(0, 1);
}

/// [N]: column sums of A.
at::Tensor degrees(const at::Tensor& adjacency) {
  const auto weights = adjacency.values();
  return at::zeros({adjacency.size(1)}, weights.options().requires_grad(false))
      .index_add(0, adjacency.indices()[1], weights);
}

/// - trace(S' A S) / trace(S' D S), both without the product.
at::Tensor mincut(const at::Tensor& s, const at::Tensor& as, const at::Tensor& degree) {
  return -((s * as).sum() / at::mv(s.square().t(), degree).sum());
}

/// - mean over the graphs of [ trace(S' A S) / 2m - |S' d|^2 / (2m)^2 ].
at::Tensor spectral(const PoolingInput& in, const at::Tensor& s, const at::Tensor& as) {
  const auto degree = degrees(in.adjacency);
  const auto terms = at::stack({(s * as).sum(1), degree}, 1);
  const auto sums = at::zeros({std::ssize(in.sizes), 2}, terms.options().requires_grad(false))
                        .index_add(0, in.graph_of, terms);
  const auto expected =
      products(s.split_with_sizes(in.sizes), degree.unsqueeze(1).split_with_sizes(in.sizes));
  const auto ends = sums.select(1, 1);
  // A graph without edges has nothing to part: its term is 0, not 0 / 0.
  const auto all = ends.masked_fill(ends.eq(0), 1);
  return -(sums.select(1, 0) / all - expected.flatten(1).square().sum(1) / all.square()).mean();
}

/// Mean over the graphs of |column sums of S| / n * sqrt(K) - 1.
at::Tensor cluster(at::TensorList s_of) {
  const auto root = std::sqrt(static_cast<double>(s_of.front().size(1)));
  std::vector<at::Tensor> norms;
  for (const auto& s : s_of) norms.push_back(at::linalg_vector_norm(s.mean(0)) * root - 1);
  return at::stack(norms).mean();
}

/// Every edge of the pooled graphs in both directions, its weight the mean of those that were there. The
/// number of edges is not known beforehand: nonzero() asks the device.
void make_undirected(Pooled& out) {
  const auto back = out.out_adj.t();
  const auto there = out.out_adj.ne(0).to(back.scalar_type()) + back.ne(0);
  out.edges = there.nonzero().t();
  // Picked out before the division: 0 / 0 where there is no edge would spoil the gradient of all.
  const auto picked = [&](const at::Tensor& all) { return all.index({out.edges[0], out.edges[1]}); };
  out.weights = picked(out.out_adj + back) / picked(there);
}

/// Without its diagonal, divided by the roots of both row sums.
at::Tensor normalised(const at::Tensor& cac) {
  const auto own = at::eye(cac.size(0), cac.options().dtype(at::kBool).requires_grad(false));
  const auto others = cac.masked_fill(own, 0);
  const auto root = roots(others.sum(1));
  return others / root.unsqueeze(1) / root.unsqueeze(0);
}

}  // namespace

at::Tensor mean_ortho_loss(const at::Tensor& cc) {
  const auto k = cc.size(1);
  const auto uniform = at::eye(k, cc.options().requires_grad(false)) / std::sqrt(static_cast<double>(k));
  const auto scaled = cc / at::linalg_vector_norm(cc, 2, at::IntArrayRef{1, 2}, true);
  return at::linalg_vector_norm(scaled - uniform, 2, at::IntArrayRef{1, 2}).mean();
}

at::Tensor cluster_graphs(const PoolingInput& in) {
  return at::arange(std::ssize(in.sizes), in.graph_of.options()).repeat_interleave(in.s.size(1));
}

void add_pooled_graph(const PoolingInput& in, const at::Tensor& s, Pooled& out) {
  out.out_adj = normalised(pooled_adjacency(in, s));
  make_undirected(out);
}

Pooled pool_by_segment(const PoolingInput& in) {
  check_sizes(in);
  const auto s = at::softmax(in.s, -1);
  const auto s_of = s.split_with_sizes(in.sizes);

  Pooled out;
  const auto as = sum_of_neighbours(in, s);
  if (in.kind == PoolingKind::mincut) {
    out.mincut_loss = mincut(s, as, degrees(in.adjacency));
  } else {
    out.spectral_loss = spectral(in, s, as);
    out.cluster_loss = cluster(s_of);
  }
  out.ortho_loss = mean_ortho_loss(products(s_of, s_of));
  if (in.features_are_read) {
    const auto pooler_of = in.kind == PoolingKind::mincut ? s_of : in.s.split_with_sizes(in.sizes);
    out.out_x = products(pooler_of, in.h.split_with_sizes(in.sizes)).flatten(0, 1);
  }
  if (in.graph_is_read) add_pooled_graph(in, s, out);
  out.out_batch = cluster_graphs(in);
  return out;
}

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Each of them takes every so many nodes of a graph: enough to fill the largest devices.
constexpr int parts_of_segments = 64;
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
  const auto sums = at::empty({parts_of_segments, graphs, k, k}, logits.options());
  Assigned out{at::empty_like(logits), at::empty_like(batch.degree), {}};
  PoolForward<float> args;
  args.size = sizes_of(logits, graphs);
  args.offsets = batch.offsets.const_data_ptr<std::int64_t>();
  args.logits = logits.const_data_ptr<float>();
  args.degree = batch.degree.const_data_ptr<float>();
  args.s = out.s.data_ptr<float>();
  args.sums = sums.data_ptr<float>();
  args.weighted = out.weighted.data_ptr<float>();
  launch_pool_forward(args, parts_of_segments, c10::cuda::getCurrentCUDAStream());
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
