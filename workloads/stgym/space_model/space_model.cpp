#include "workloads/stgym/space_model/space_model.hpp"

#include "harness/libtorch/generator.hpp"

#include "workloads/stgym/model/pool_fused.hpp"

#include <ATen/ATen.h>
#include <ATen/Context.h>

#include <algorithm>
#include <iterator>

namespace workloads::stgym::space {

/// What the layers so far have made of the batch. n nodes, of which each may be a cluster of the layer below.
struct Model::Graph {
  at::Tensor x;  // [n, F]
  Edges edges;
  at::Tensor adjacency;             // [n, n] sparse: the same edges
  at::Tensor graph_of;              // [n]
  std::vector<std::int64_t> sizes;  // [B]
  std::vector<at::Tensor> shares;   // of each pooling: [its nodes, K], their shares in its clusters
};

namespace {

void add_loss(NamedTensors& losses, const char* name, const at::Tensor& loss) {
  if (!loss.defined()) return;
  const auto found = std::ranges::find(losses, name, &NamedTensors::value_type::first);
  if (found == losses.end())
    losses.emplace_back(name, loss);
  else
    found->second = found->second + loss;
}

/// [N, K]: the shares of the batch's nodes in the last pooling's clusters. A cluster that becomes part of a
/// larger one takes its nodes along.
at::Tensor compose(const std::vector<at::Tensor>& shares, const std::vector<std::int64_t>& sizes) {
  auto all = shares.front();
  for (std::size_t i = 1; i < shares.size(); ++i) {
    const auto blocks = shares[i].view({std::ssize(sizes), -1, shares[i].size(1)}).unbind();
    const auto parts = all.split_with_sizes(sizes);
    std::vector<at::Tensor> rows;
    for (std::size_t graph = 0; graph < parts.size(); ++graph)
      rows.push_back(at::mm(parts[graph], blocks[graph]));
    all = at::cat(rows);
  }
  return all;
}

void check(const Configuration& configuration) {
  const auto& layers = configuration.model.mp_layers;
  if (layers.empty()) throw std::invalid_argument("a model needs a message-passing layer");
  const auto task = configuration.task.type;
  const bool pools = std::ranges::any_of(layers, [](const auto& layer) { return layer.pooling.has_value(); });
  if (task == TaskType::node_clustering && !pools)
    throw std::invalid_argument("a clustering needs a layer with pooling");
  if (task != TaskType::graph_classification && pools && !layers.back().pooling)
    throw std::invalid_argument(
        "nodes are classified by their clusters, so nothing reads a layer after the last pooling");
  if (task != TaskType::node_clustering && !configuration.model.post_mp_layer)
    throw std::invalid_argument("a classification needs a post_mp_layer");
}

// The model's parameters and running statistics, by name.

void copy_values(const NamedTensors& from, const NamedTensors& to) {
  for (const auto& [name, tensor] : to) {
    const auto found = std::ranges::find(from, name, &NamedTensors::value_type::first);
    if (found == from.end()) throw std::invalid_argument("no values for the parameter '" + name + "'");
    tensor.detach().copy_(found->second);
  }
}

}  // namespace

Model::Model(const Configuration& configuration, const ModelSetup& setup)
    : task_(configuration.task.type),
      readout_(configuration.model.global_pooling),
      two_classes_(task_ == TaskType::graph_classification && setup.classes == 2),
      seed_(setup.seed),
      random_(harness::generator_on(setup.placement.device(), setup.seed)) {
  check(configuration);
  build_layers(configuration.model, setup);
  start_ = copy_of_state();
}

void Model::build_layers(const ModelConfig& config, const ModelSetup& setup) {
  ParameterSource source(setup.seed, setup.placement, setup.libraries);
  auto width = setup.features;
  for (const auto& layer : config.mp_layers) {
    auto convolution = make_convolution(layer, width, source);
    width = layer.dim_inner;
    Finish finish(layer.style, width, source);
    std::optional<Assignment> assignment;
    if (layer.pooling) assignment = {source.linear(width, layer.pooling->n_clusters), *layer.pooling};
    layers_.push_back({std::move(convolution), std::move(finish), std::move(assignment)});
  }
  if (task_ == TaskType::node_clustering) return;
  if (task_ == TaskType::node_classification && layers_.back().assignment)
    width = layers_.back().assignment->pooling.n_clusters;
  auto widths = config.post_mp_layer->dims;
  widths.push_back(two_classes_ ? 1 : setup.classes);
  for (const auto next : widths) {
    auto linear = source.linear(width, next, config.post_mp_layer->style.has_bias);
    post_.push_back({std::move(linear), Finish(config.post_mp_layer->style, next, source)});
    width = next;
  }
}

Prediction Model::forward(const Batch& batch, const Switches& switches, Mode mode) {
  Prediction out;
  Graph graph{batch.x, {batch.edges}, batch.adjacency, batch.graph_of, batch.sizes, {}};
  for (const auto& layer : layers_) {
    const auto mapped = convolve(layer.convolution, graph.x, graph.edges, switches);
    graph.x = layer.finish(mapped, switches, mode, random_);
    if (layer.assignment) pool_nodes(layer, switches, graph, out);
  }
  if (task_ == TaskType::graph_classification) {
    out.scores = classify(read_out(readout_, graph.x, graph.graph_of, graph.sizes), switches, mode);
    if (two_classes_) out.scores = out.scores.squeeze(1);
    return out;
  }
  const auto nodes = graph.shares.empty() ? graph.x : compose(graph.shares, batch.sizes);
  out.scores = task_ == TaskType::node_clustering ? nodes : classify(nodes, switches, mode);
  return out;
}

/// The clusters become the nodes. MinCut is given the assignment with one softmax applied, DMoN without; in
/// both the nodes' shares are the softmax of what the layer was given.
void Model::pool_nodes(const Layer& layer, const Switches& switches, Graph& graph, Prediction& out) {
  const auto& [linear, pooling] = *layer.assignment;
  const bool mincut = pooling.type == PoolingType::mincut;
  const bool is_read = &layer != &layers_.back();  // the pooled graph, by a layer on it
  PoolingInput input{graph.x,         multiply(linear, graph.x, switches),
                     graph.adjacency, graph.graph_of,
                     graph.sizes,     mincut ? PoolingKind::mincut : PoolingKind::dmon};
  input.graph_is_read = is_read || !switches.no_unread_graph;
  input.features_are_read = input.graph_is_read || task_ == TaskType::graph_classification;
  const bool fused = switches.fused_pooling && fused_pooling_fits(input);
  if (mincut && !fused) input.s = at::softmax(input.s, -1);
  auto pooled = fused ? pool_fused(input, mincut ? 2 : 1) : pool(input, switches, host_indices_);
  add_loss(out.pooling_losses, "mincut_loss", pooled.mincut_loss);
  add_loss(out.pooling_losses, "spectral_loss", pooled.spectral_loss);
  add_loss(out.pooling_losses, "cluster_loss", pooled.cluster_loss);
  add_loss(out.pooling_losses, "ortho_loss", pooled.ortho_loss);

  if (task_ != TaskType::graph_classification)
    graph.shares.push_back(fused ? pooled.soft : at::softmax(input.s, -1));
  if (!input.features_are_read) return;  // no layer stands on the clusters
  graph.x = switches.inplace ? at::selu_(pooled.out_x) : at::selu(pooled.out_x);
  graph.graph_of = pooled.out_batch;
  graph.sizes.assign(graph.sizes.size(), pooling.n_clusters);
  if (!is_read) return;
  const auto n = graph.x.size(0);
  graph.edges = {pooled.edges, pooled.weights};
  // The edges are in order, each is there once. Said to the constructor: at::_coalesced has no derivative.
  graph.adjacency = at::sparse_coo_tensor(pooled.edges, pooled.weights, {n, n}, {}, /*is_coalesced=*/true);
}

at::Tensor Model::classify(at::Tensor x, const Switches& switches, Mode mode) {
  for (const auto& layer : post_)
    x = layer.finish(multiply(layer.linear, x, switches), switches, mode, random_);
  return x;
}

Losses Model::losses(const Prediction& prediction, const Batch& batch) const {
  Losses losses{{}, {}, prediction.pooling_losses};
  const auto& scores = prediction.scores;
  if (two_classes_)
    losses.label = at::binary_cross_entropy_with_logits(scores, batch.y.to(scores.scalar_type()));
  else if (task_ != TaskType::node_clustering)
    losses.label = at::nll_loss(at::log_softmax(scores, -1), batch.y);
  losses.total = losses.label;
  for (const auto& [name, loss] : losses.pooling)
    losses.total = losses.total.defined() ? losses.total + loss : loss;
  return losses;
}

NamedTensors Model::parameters() const {
  NamedTensors all;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const auto name = "mp_module.Layer_" + std::to_string(i);
    add_to(all, name + ".layer.model", layers_[i].convolution);
    if (layers_[i].assignment) add_to(all, name + ".pooling_layer.linear", layers_[i].assignment->linear);
    layers_[i].finish.add_parameters(all, name + ".post_layer");
  }
  for (std::size_t i = 0; i < post_.size(); ++i) {
    const auto name = "post_mp.model.0.Layer_" + std::to_string(i);
    add_to(all, name + ".layer.model", post_[i].linear);
    post_[i].finish.add_parameters(all, name + ".post_layer");
  }
  return all;
}

NamedTensors Model::buffers() const {
  NamedTensors all;
  for (std::size_t i = 0; i < layers_.size(); ++i)
    layers_[i].finish.add_buffers(all, "mp_module.Layer_" + std::to_string(i) + ".post_layer");
  for (std::size_t i = 0; i < post_.size(); ++i)
    post_[i].finish.add_buffers(all, "post_mp.model.0.Layer_" + std::to_string(i) + ".post_layer");
  return all;
}

NamedTensors Model::copy_of_state() const {
  auto all = parameters();
  for (auto& named : buffers()) all.push_back(std::move(named));
  for (auto& [name, tensor] : all) tensor = tensor.detach().clone();
  return all;
}

// NOLINTNEXTLINE(readability-make-member-function-const): the tensors change
void Model::assign(const NamedTensors& values) { copy_values(values, parameters()); }

void Model::reset() {
  copy_values(start_, parameters());
  copy_values(start_, buffers());
  random_.set_current_seed(seed_);
}

}  // namespace workloads::stgym::space
