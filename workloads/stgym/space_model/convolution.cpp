#include "workloads/stgym/space_model/convolution.hpp"

#include "workloads/stgym/space_model/linear.hpp"

#include <ATen/ATen.h>

#include <limits>

namespace workloads::stgym::space {
namespace {

at::Tensor relu(const at::Tensor& x, const Switches& switches) {
  return switches.inplace ? x.relu_() : x.relu();
}

/// [N, F]: per node, the sum of the x that its edges bring.
at::Tensor sum_of_neighbours(const at::Tensor& x, const Edges& edges) {
  return at::zeros_like(x).index_add_(0, edges.ends[1], x.index_select(0, edges.ends[0]));
}

/// [N]: per node, the sum of its edges' weights.
at::Tensor sum_of_weights(std::int64_t n, const at::Tensor& ends, const at::Tensor& weights) {
  return at::zeros({n}, weights.options().requires_grad(false)).index_add(0, ends, weights);
}

at::Tensor mean_of_neighbours(const at::Tensor& x, const Edges& edges) {
  const auto ones = at::ones({edges.ends.size(1)}, x.options().requires_grad(false));
  const auto count = sum_of_weights(x.size(0), edges.ends[1], ones).clamp_min_(1);
  return sum_of_neighbours(x, edges) / count.unsqueeze(1);
}

/// A + I, normalised: what each edge, and each node's own x, counts for.
struct Normalised {
  at::Tensor edges;  // [E]
  at::Tensor own;    // [N]
};

Normalised normalise(const Edges& edges, const at::Tensor& x) {
  const auto n = x.size(0);
  const auto from = edges.ends[0];
  const auto to = edges.ends[1];
  const auto weights =
      edges.weights.defined() ? edges.weights : at::ones({from.size(0)}, x.options().requires_grad(false));
  const auto is_loop = from.eq(to).to(x.scalar_type());
  const auto without_loop = sum_of_weights(n, to, is_loop).eq(0);
  const auto loop = sum_of_weights(n, to, weights * is_loop) + without_loop;
  const auto others = weights * (1 - is_loop);
  const auto degree = loop + sum_of_weights(n, to, others);
  // 1 / sqrt(0) is 0 here, and so is its derivative.
  const auto root = degree.masked_fill(degree.eq(0), std::numeric_limits<double>::infinity()).rsqrt();
  return {root.index_select(0, from) * others * root.index_select(0, to), loop * root.square()};
}

}  // namespace

at::Tensor Gin::operator()(const at::Tensor& x, const Edges& edges, const Switches& switches) const {
  if (switches.project_first) {
    const auto y = multiply_weight(first, x, switches);
    const auto sum = y.index_add(0, edges.ends[1], y.index_select(0, edges.ends[0]));
    return multiply(second, relu(sum + first.bias, switches), switches);
  }
  const auto sum = sum_of_neighbours(x, edges) + x;
  return multiply(second, relu(multiply(first, sum, switches), switches), switches);
}

/// Its definition multiplies before it sums up: project_first has nothing to change.
at::Tensor Gcn::operator()(const at::Tensor& x, const Edges& edges, const Switches& switches) const {
  const auto y = multiply_weight(linear, x, switches);
  const auto share = normalise(edges, x);
  const auto messages = y.index_select(0, edges.ends[0]) * share.edges.unsqueeze(1);
  const auto sum = (y * share.own.unsqueeze(1)).index_add(0, edges.ends[1], messages);
  return linear.bias.defined() ? sum + linear.bias : sum;
}

at::Tensor Sage::operator()(const at::Tensor& x, const Edges& edges, const Switches& switches) const {
  const auto mine = multiply(own, x, switches);
  if (!switches.project_first) return multiply(neighbours, mean_of_neighbours(x, edges), switches) + mine;
  const auto sum = mean_of_neighbours(multiply_weight(neighbours, x, switches), edges) + mine;
  return neighbours.bias.defined() ? sum + neighbours.bias : sum;
}

Convolution make_convolution(const MpLayer& layer, std::int64_t inputs, ParameterSource& source) {
  const auto width = layer.dim_inner;
  if (layer.layer_type == LayerType::ginconv) {
    auto first = source.linear(inputs, width);
    return Gin{std::move(first), source.linear(width, width)};
  }
  if (layer.layer_type == LayerType::sageconv) {
    auto neighbours = source.linear(inputs, width, layer.style.has_bias);
    return Sage{std::move(neighbours), source.linear(inputs, width, false)};
  }
  return Gcn{{source.glorot(inputs, width), layer.style.has_bias ? source.filled(width, 0) : at::Tensor()}};
}

at::Tensor convolve(const Convolution& convolution, const at::Tensor& x, const Edges& edges,
                    const Switches& switches) {
  return std::visit([&](const auto& layer) { return layer(x, edges, switches); }, convolution);
}

void add_to(NamedTensors& all, const std::string& name, const Convolution& convolution) {
  if (const auto* gin = std::get_if<Gin>(&convolution)) {
    add_to(all, name + ".nn.0", gin->first);
    add_to(all, name + ".nn.2", gin->second);
  } else if (const auto* gcn = std::get_if<Gcn>(&convolution)) {
    if (gcn->linear.bias.defined()) all.emplace_back(name + ".bias", gcn->linear.bias);
    all.emplace_back(name + ".lin.weight", gcn->linear.weight);
  } else if (const auto* sage = std::get_if<Sage>(&convolution)) {
    add_to(all, name + ".lin_l", sage->neighbours);
    add_to(all, name + ".lin_r", sage->own);
  }
}

}  // namespace workloads::stgym::space
