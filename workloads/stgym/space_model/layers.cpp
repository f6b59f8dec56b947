#include "workloads/stgym/space_model/layers.hpp"

#include "harness/libtorch/generator.hpp"
#include "harness/libtorch/precision.hpp"

#include "workloads/stgym/model/linear_products.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace workloads::stgym::space {
namespace {

/// Each row divided by its length, or by 1e-12 where that is more.
at::Tensor rows_of_length_1(const at::Tensor& x) {
  return x / at::linalg_vector_norm(x, 2, at::IntArrayRef{1}, true).clamp_min(1e-12);
}

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

/// All graphs have as many rows, as behind a pooling: x [B, rows, F].
at::Tensor of_blocks(Readout readout, const at::Tensor& x) {
  switch (readout) {
    case Readout::mean:
      return x.mean(1);
    case Readout::max:
      return x.amax(1);
    case Readout::add:
      break;
  }
  return x.sum(1);
}

/// The same without the bias.
at::Tensor multiply_weight(const Linear& linear, const at::Tensor& x, const Switches& switches) {
  std::optional<harness::Autocast> autocast;
  if (switches.bf16) autocast.emplace(x.device().type(), at::kBFloat16);
  return single(project(linear, x, switches));
}

}  // namespace

ParameterSource::ParameterSource(std::uint64_t seed, const at::TensorOptions& placement,
                                 training::LibrariesOf libraries)
    : random_(harness::host_generator(seed)), placement_(placement), libraries_(std::move(libraries)) {}

at::Tensor ParameterSource::uniform(at::IntArrayRef shape, double bound) {
  return at::empty(shape, at::kFloat).uniform_(-bound, bound, random_).to(placement_).set_requires_grad(true);
}

Linear ParameterSource::linear(std::int64_t inputs, std::int64_t outputs, bool has_bias) {
  const auto bound = 1 / std::sqrt(static_cast<double>(inputs));
  Linear linear;
  linear.weight = uniform({outputs, inputs}, bound);
  if (has_bias) linear.bias = uniform({outputs}, bound);
  if (libraries_) linear.libraries = libraries_(linear.weight);
  return linear;
}

at::Tensor ParameterSource::glorot(std::int64_t inputs, std::int64_t outputs) {
  return uniform({outputs, inputs}, std::sqrt(6.0 / static_cast<double>(inputs + outputs)));
}

at::Tensor ParameterSource::filled(std::int64_t width, double value) const {
  return buffer(width, value).set_requires_grad(true);
}

at::Tensor ParameterSource::buffer(std::int64_t width, double value) const {
  return at::full({width}, value, placement_);
}

void add_to(NamedTensors& all, const std::string& name, const Linear& linear) {
  all.emplace_back(name + ".weight", linear.weight);
  if (linear.bias.defined()) all.emplace_back(name + ".bias", linear.bias);
}

at::Tensor multiply(const Linear& linear, const at::Tensor& x, const Switches& switches) {
  std::optional<harness::Autocast> autocast;
  if (switches.bf16) autocast.emplace(x.device().type(), at::kBFloat16);
  return single(map(linear, x, switches));
}

Finish::Finish(const Style& style, std::int64_t width, ParameterSource& source) : style_(style) {
  if (style.use_batchnorm) {
    scale_ = source.filled(width, 1);
    shift_ = source.filled(width, 0);
    mean_ = source.buffer(width, 0);
    variance_ = source.buffer(width, 1);
  }
  if (style.act == Activation::prelu) slope_ = source.filled(1, 0.25);
}

at::Tensor Finish::norm(const at::Tensor& x, Mode mode) const {
  const bool training = mode == Mode::training;
  if (training && x.size(0) == 1)
    throw std::runtime_error("a batch norm cannot learn from a batch of one row");
  return at::batch_norm(x, scale_, shift_, mean_, variance_, training, style_.bn_momentum, style_.bn_eps,
                        /*cudnn_enabled=*/true);
}

at::Tensor Finish::drop(const at::Tensor& x, at::Generator& random) const {
  const auto kept = at::empty_like(x.detach()).bernoulli_(1 - style_.dropout, random);
  return x * kept.div_(1 - style_.dropout);
}

at::Tensor Finish::activate(at::Tensor x, const Switches& switches) const {
  switch (style_.act) {
    case Activation::relu:
      return switches.inplace ? at::relu_(x) : at::relu(x);
    case Activation::swish:
      return switches.inplace ? at::silu_(x) : at::silu(x);
    case Activation::prelu:
      return at::prelu(x, slope_);
    case Activation::none:
      break;
  }
  return x;
}

at::Tensor Finish::operator()(at::Tensor x, const Switches& switches, Mode mode,
                              at::Generator& random) const {
  if (style_.use_batchnorm) x = norm(x, mode);
  if (style_.dropout > 0 && mode == Mode::training) x = drop(x, random);
  x = activate(x, switches);
  return style_.l2norm ? rows_of_length_1(x) : x;
}

void Finish::add_parameters(NamedTensors& all, const std::string& name) const {
  if (style_.use_batchnorm) {
    all.emplace_back(name + ".0.weight", scale_);
    all.emplace_back(name + ".0.bias", shift_);
  }
  // Modules are numbered, those without parameters too.
  const auto place = (style_.use_batchnorm ? 1 : 0) + (style_.dropout > 0 ? 1 : 0);
  if (slope_.defined()) all.emplace_back(name + "." + std::to_string(place) + ".weight", slope_);
}

void Finish::add_buffers(NamedTensors& all, const std::string& name) const {
  if (!style_.use_batchnorm) return;
  all.emplace_back(name + ".0.running_mean", mean_);
  all.emplace_back(name + ".0.running_var", variance_);
}

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

at::Tensor read_out(Readout readout, const at::Tensor& x, const at::Tensor& graph_of,
                    const std::vector<std::int64_t>& sizes) {
  const auto graphs = std::ssize(sizes);
  if (std::ranges::all_of(sizes, [&](auto size) { return size == sizes.front(); }))
    return of_blocks(readout, x.reshape({graphs, -1, x.size(1)}));
  if (readout == Readout::max) {
    const auto target = graph_of.unsqueeze(1).expand_as(x);
    return at::zeros({graphs, x.size(1)}, x.options())
        .scatter_reduce(0, target, x, "amax", /*include_self=*/false);
  }
  const auto sum = at::zeros({graphs, x.size(1)}, x.options()).index_add(0, graph_of, x);
  if (readout == Readout::add) return sum;
  // The sizes are known on the host, but the device must count: else they were copied from pageable memory.
  const auto count =
      at::zeros({graphs}, x.options()).index_add_(0, graph_of, at::ones_like(graph_of, x.options()));
  return sum / count.unsqueeze(1);
}

}  // namespace workloads::stgym::space
