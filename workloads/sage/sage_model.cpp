#include "workloads/sage/sage_model.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace workloads::sage {
namespace {

std::int64_t sum_of_first(const std::vector<std::int64_t>& counts, std::int64_t first) {
  return std::accumulate(counts.begin(), counts.begin() + first, std::int64_t{0});
}

/// Rows are gathered, one an edge, and scattered into the targets' sums, as message passing is written down.
at::Tensor scattered_mean(const at::Tensor& x, const at::Tensor& sources, const at::Tensor& targets,
                          std::int64_t rows) {
  const auto messages = x.index_select(0, sources);
  const auto sums = at::zeros({rows, x.size(1)}, x.options())
                        .scatter_add(0, targets.unsqueeze(1).expand_as(messages), messages);
  const auto counts =
      at::zeros({rows}, x.options()).scatter_add(0, targets, at::ones({targets.size(0)}, x.options()));
  return sums / counts.clamp_min(1).unsqueeze(1);
}

/// One operator reads the rows of a target's neighbours and writes their mean; no row an edge is kept.
at::Tensor mean_by_rows(const at::Tensor& x, const at::Tensor& sources, const at::Tensor& offsets) {
  constexpr std::int64_t mean = 1;
  return std::get<0>(at::embedding_bag(x, sources, offsets, /*scale_grad_by_freq=*/false, mean,
                                       /*sparse=*/false, /*per_sample_weights=*/{},
                                       /*include_last_offset=*/true));
}

}  // namespace

Span trimmed(const Subgraph& graph, std::int64_t hops) {
  return {sum_of_first(graph.nodes_by_hop, hops + 1), sum_of_first(graph.edges_by_hop, hops + 1)};
}

SageLayer::SageLayer(training::State& state, const std::string& name, std::int64_t in, std::int64_t out)
    : neighbours_weight_(state.parameter(name + ".lin_l.weight", {out, in})),
      bias_(state.parameter(name + ".lin_l.bias", {out})),
      own_weight_(state.parameter(name + ".lin_r.weight", {out, in})) {}

at::Tensor SageLayer::operator()(const at::Tensor& x, const Subgraph& graph, const Span& span) const {
  const auto sources = graph.sources.narrow(0, 0, span.edges);
  const auto own = at::linear(x.narrow(0, 0, span.targets), own_weight_, bias_);
  if (!graph.offsets.defined()) {
    const auto targets = graph.targets.narrow(0, 0, span.edges);
    return own + at::linear(scattered_mean(x, sources, targets, span.targets), neighbours_weight_);
  }
  // Leaves out the last hop's nodes: none of their neighbours is in the sample, and their mean is zero.
  const auto rows = std::min(span.targets, graph.expanded());
  const auto mean = mean_by_rows(x, sources, graph.offsets.narrow(0, 0, rows + 1));
  const auto neighbours = at::linear(mean, neighbours_weight_);
  if (rows == span.targets) return own + neighbours;
  return own + at::constant_pad_nd(neighbours, {0, 0, 0, span.targets - rows});
}

Model::Model(const Widths& widths, at::TensorOptions options) : state_(options) {
  for (int i = 0; i < widths.layers; ++i)
    layers_.emplace_back(state_, fmt::format("convs.{}", i), i == 0 ? widths.features : widths.hidden,
                         i + 1 == widths.layers ? widths.classes : widths.hidden);
}

at::Tensor Model::forward(const at::Tensor& features, const Subgraph& graph, bool trim) const {
  const auto layers = std::ssize(layers_);
  auto x = features;
  for (std::int64_t i = 0; i < layers; ++i) {
    const auto span = trim ? trimmed(graph, layers - 1 - i) : Span{features.size(0), graph.sources.size(0)};
    x = layers_[static_cast<std::size_t>(i)](x, graph, span);
    if (i + 1 < layers) x = x.relu();
  }
  return x.narrow(0, 0, graph.nodes_by_hop.front());
}

}  // namespace workloads::sage
