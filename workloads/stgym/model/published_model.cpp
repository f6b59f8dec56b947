#include "workloads/stgym/model/published_model.hpp"

#include "harness/libtorch/generator.hpp"
#include "harness/libtorch/precision.hpp"

#include "workloads/stgym/model/linear_products.hpp"
#include "workloads/stgym/model/neighbour_sum.hpp"
#include "workloads/stgym/model/node_classifier.hpp"
#include "workloads/stgym/model/pool_by_segment.hpp"
#include "workloads/stgym/model/pool_fused.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace workloads::stgym {
namespace {

/// torch.nn.Linear's start: weight and bias uniform within 1 / sqrt(inputs).
Linear make_linear(std::int64_t inputs, std::int64_t outputs, at::Generator& random) {
  const auto bound = 1 / std::sqrt(static_cast<double>(inputs));
  return {at::empty({outputs, inputs}).uniform_(-bound, bound, random),
          at::empty({outputs}).uniform_(-bound, bound, random)};
}

at::Tensor relu(const at::Tensor& x, const Switches& switches) {
  return switches.inplace ? x.relu_() : x.relu();
}

at::Tensor selu(at::Tensor x, const Switches& switches) {
  return switches.inplace ? at::selu_(x) : at::selu(x);
}

/// A hidden layer and its ReLU.
at::Tensor mapped_relu(const Linear& layer, const at::Tensor& x, const Switches& switches) {
  if (switches.fused_linear && !switches.bf16 && fused_linear_fits(x, layer.weight))
    return linear_relu(x, layer.weight, layer.bias, switches.tensor_core_products);
  return relu(map(layer, x, switches), switches);
}

}  // namespace

at::Tensor Linear::operator()(const at::Tensor& x) const { return at::linear(x, weight, bias); }

Model::Model(const ModelShape& shape, std::uint64_t seed, at::Device device,
             const training::LibrariesOf& libraries)
    : shape_(shape) {
  auto random = harness::host_generator(seed);
  gin_first_ = make_linear(shape.features, shape.hidden, random);
  gin_second_ = make_linear(shape.hidden, shape.hidden, random);
  assignment_ = make_linear(shape.hidden, shape.clusters, random);
  gin_eps_ = at::zeros({1}, device);
  auto width = shape.task == Task::node_classification ? shape.clusters : shape.hidden;
  auto widths = shape.post_hidden;
  widths.push_back(shape.classes);
  for (const auto next : widths) {
    post_.push_back(make_linear(width, next, random));
    if (shape.task == Task::graph_classification) post_slopes_.push_back(at::full({1}, 0.25));
    width = next;
  }
  const auto place = [&](at::Tensor& t) { t = t.to(device).set_requires_grad(true); };
  const auto place_layer = [&](Linear& linear) {
    place(linear.weight);
    place(linear.bias);
    if (libraries) linear.libraries = libraries(linear.weight);
  };
  for (auto* linear : {&gin_first_, &gin_second_, &assignment_}) place_layer(*linear);
  for (auto& linear : post_) place_layer(linear);
  for (auto& slope : post_slopes_) place(slope);
}

NamedTensors Model::parameters() const {
  NamedTensors all;
  const auto add = [&](const std::string& name, const Linear& linear) {
    all.emplace_back(name + ".weight", linear.weight);
    all.emplace_back(name + ".bias", linear.bias);
  };
  add("mp_module.Layer_0.layer.model.nn.0", gin_first_);
  add("mp_module.Layer_0.layer.model.nn.2", gin_second_);
  add("mp_module.Layer_0.pooling_layer.linear", assignment_);
  for (std::size_t i = 0; i < post_.size(); ++i) {
    const auto layer = "post_mp.model.0.Layer_" + std::to_string(i);
    add(layer + ".layer.model", post_[i]);
    if (!post_slopes_.empty()) all.emplace_back(layer + ".post_layer.0.weight", post_slopes_[i]);
  }
  return all;
}

// NOLINTNEXTLINE(readability-make-member-function-const): the tensors change
void Model::assign(const NamedTensors& values) {
  for (auto& [name, parameter] : parameters()) {
    const auto found = std::ranges::find(values, name, &NamedTensors::value_type::first);
    if (found == values.end()) throw std::invalid_argument("no values for the parameter '" + name + "'");
    parameter.detach().copy_(found->second);
  }
}

/// y, its neighbours' and the bias. In place nothing is copied; with bf16 y is BF16, and the sum is not.
at::Tensor Model::sum_of_neighbours(const at::Tensor& y, const Batch& batch, const Switches& switches) const {
  const auto others = y.index_select(0, batch.edges[0]);
  if (switches.inplace && !switches.bf16)
    return y.index_add_(0, batch.edges[1], others).add_(gin_first_.bias);
  return y.index_add(0, batch.edges[1], others) + gin_first_.bias;
}

/// The ReLU of MLP((1 + eps) x + sum over neighbours of x), eps = 0: gathers the sources' rows and adds them
/// up at the targets. The published code multiplies x by that 1, a pass over all of it. The first linear map
/// may come before the sum.
at::Tensor Model::gin(const Batch& batch, const Switches& switches) const {
  if (batch.rows.defined()) {
    const auto y = gathered_product(batch.x, batch.rows, gin_first_.weight, switches.tensor_core_products);
    return mapped_relu(gin_second_, neighbour_sum(y, gin_first_.bias, batch), switches);
  }
  if (switches.project_first) {
    const auto y = batch.parts.empty() ? project(gin_first_, batch.x, switches)
                                       : project(gin_first_, batch.parts, switches);
    return mapped_relu(gin_second_, relu(sum_of_neighbours(y, batch, switches), switches), switches);
  }
  const auto messages = batch.x.index_select(0, batch.edges[0]);
  const auto targets = batch.edges[1].view({-1, 1}).expand_as(messages);
  const auto sum = messages.new_zeros(batch.x.sizes()).scatter_add_(0, targets, messages);
  const auto x = sum + (1 + gin_eps_) * batch.x;
  return mapped_relu(gin_second_, relu(map(gin_first_, x, switches), switches), switches);
}

/// Of nodes, from their soft clusters; with fused_classifier their loss too.
Prediction Model::classify_nodes(const at::Tensor& s, const Batch& batch, Pooled pooled,
                                 const Switches& switches) const {
  ClassifierWeights layers;
  for (const auto& linear : post_) layers.emplace_back(linear.weight, linear.bias);
  if (switches.fused_classifier && !switches.bf16 && fused_classifier_fits(s, layers)) {
    const auto [logits, loss] = classified(s, batch.y, layers);
    return {logits, std::move(pooled), loss};
  }
  return {single(classify(s, switches)), std::move(pooled), {}};
}

/// The published configuration gives the last layer its activation too. Graphs use PReLU, as STGym's graph
/// classifiers do: behind a ReLU the single logit could not say "no".
at::Tensor Model::classify(at::Tensor x, const Switches& switches) const {
  for (std::size_t i = 0; i < post_.size(); ++i) {
    x = map(post_[i], x, switches);
    x = post_slopes_.empty() ? relu(x, switches) : at::prelu(x, post_slopes_[i]);
  }
  return x;
}

Prediction Model::forward(const Batch& batch, const Switches& switches) {
  std::optional<harness::Autocast> autocast;
  if (switches.bf16) autocast.emplace(gin_eps_.device().type(), at::kBFloat16);
  const auto h = gin(batch, switches);
  if (batch.rows.defined()) {
    const bool on_tensor_cores = switches.tensor_core_products && fused_linear_fits(h, assignment_.weight);
    auto in_place =
        pool_in_place(on_tensor_cores ? linear_on_tensor_cores(h, assignment_.weight, assignment_.bias)
                                      : map(assignment_, h, switches),
                      batch);
    const auto s = in_place.soft;
    return classify_nodes(s, batch, std::move(in_place), switches);
  }
  PoolingInput input{single(h), single(map(assignment_, h, switches)), batch.adjacency, batch.graph_of,
                     batch.sizes};
  // No layer stands on the pooled graph, and nodes are classified without its features.
  input.graph_is_read = !switches.no_unread_graph;
  input.features_are_read = input.graph_is_read || shape_.task == Task::graph_classification;
  const bool fused = switches.fused_pooling && fused_pooling_fits(input);
  if (!fused) input.s = at::softmax(input.s, -1);
  auto pooled = fused ? pool_fused(input, 2) : pool(input, switches, host_indices_);
  const auto x = pooled.out_x.defined() ? selu(pooled.out_x, switches) : at::Tensor();
  if (shape_.task == Task::node_classification) {
    const auto s = fused ? pooled.soft : at::softmax(input.s, -1);
    return classify_nodes(s, batch, std::move(pooled), switches);
  }
  const auto readout = x.view({-1, shape_.clusters, shape_.hidden}).mean(1);
  return {single(classify(readout, switches)).squeeze(1), std::move(pooled), {}};
}

Losses Model::losses(const Prediction& prediction, const Batch& batch) const {
  const auto& [logits, pooled, label_loss] = prediction;
  const auto label = label_loss.defined() ? label_loss
                     : shape_.task == Task::node_classification
                         ? at::nll_loss(at::log_softmax(logits, -1), batch.y)
                         : at::binary_cross_entropy_with_logits(logits, batch.y.to(logits.scalar_type()));
  return {label + pooled.mincut_loss + pooled.ortho_loss, label, pooled.mincut_loss, pooled.ortho_loss};
}

}  // namespace workloads::stgym
