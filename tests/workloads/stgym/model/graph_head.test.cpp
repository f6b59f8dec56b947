// Graphs as a whole: the model's sparse path against the same formulas written out densely, graph by graph.
#include "workloads/stgym/model/published_model.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <string>

namespace {

using namespace workloads::stgym;

constexpr std::int64_t sizes[] = {5, 1, 7};

ModelShape small_shape() {
  ModelShape shape;
  shape.features = 6;
  shape.hidden = 8;
  shape.clusters = 3;
  shape.classes = 1;
  shape.post_hidden = {4};
  shape.task = Task::graph_classification;
  return shape;
}

/// Three graphs, each a path; the second has a single node and no edge.
Batch small_batch() {
  std::vector<GraphItem> items;
  for (const auto n : sizes) {
    const auto from = at::arange(n - 1, at::kLong);
    const auto edges = at::stack({at::cat({from, from + 1}), at::cat({from + 1, from})});  // both directions
    items.push_back({at::rand({n, 6}), at::full({1}, n % 2, at::kLong), edges, adjacency_of(edges, n)});
  }
  return join(items);
}

at::Tensor parameter(const Model& model, const std::string& name) {
  for (const auto& [known, tensor] : model.parameters())
    if (known == name) return tensor.detach();
  throw std::runtime_error("no parameter " + name);
}

at::Tensor linear(const Model& model, const std::string& name, const at::Tensor& x) {
  return at::matmul(x, parameter(model, name + ".weight").t()) + parameter(model, name + ".bias");
}

/// The logit of one graph from its features and dense adjacency.
at::Tensor dense_logit(const Model& model, const at::Tensor& x, const at::Tensor& adjacency) {
  const std::string layer = "mp_module.Layer_0.";
  auto h = linear(model, layer + "layer.model.nn.0", x + at::matmul(adjacency, x)).relu();
  h = linear(model, layer + "layer.model.nn.2", h).relu();
  const auto s = at::softmax(at::softmax(linear(model, layer + "pooling_layer.linear", h), -1), -1);
  auto out = at::selu(at::matmul(s.t(), h)).mean(0);
  for (const std::string post : {"post_mp.model.0.Layer_0.", "post_mp.model.0.Layer_1."}) {
    out = linear(model, post + "layer.model", out);
    out = at::where(out > 0, out, out * parameter(model, post + "post_layer.0.weight"));
  }
  return out;
}

TEST_CASE("a graph's logit is the classifier's answer to the mean over its pooled nodes", "[stgym]") {
  const auto batch = small_batch();
  Model model(small_shape(), 3, at::kCPU);
  const auto logits = model.forward(batch, {}).logits;
  REQUIRE(logits.sizes() == at::IntArrayRef{3});
  const auto adjacency = batch.adjacency.to_dense();
  std::int64_t begin = 0;
  for (std::int64_t g = 0; g < 3; ++g) {
    const auto n = sizes[g];
    const auto own = adjacency.narrow(0, begin, n).narrow(1, begin, n);
    CHECK(at::allclose(logits[g].detach(), dense_logit(model, batch.x.narrow(0, begin, n), own)[0], 1e-5,
                       1e-6));
    begin += n;
  }
}

TEST_CASE("a graph's label loss is the binary cross entropy of its logit", "[stgym]") {
  const auto batch = small_batch();
  Model model(small_shape(), 3, at::kCPU);
  const auto prediction = model.forward(batch, {});
  const auto p = prediction.logits.detach().sigmoid();
  const auto y = batch.y.to(at::kFloat);
  const auto expected = -(y * p.log() + (1 - y) * (1 - p).log()).mean();
  CHECK(at::allclose(model.losses(prediction, batch).label.detach(), expected, 1e-5, 1e-6));
}

/// From here on the arithmetic is done in another order.
constexpr auto first_reordered = &Switches::segment_pooling;

TEST_CASE("every kept rung below the reordered ones gives the naive form's logits, bit for bit", "[stgym]") {
  const auto batch = small_batch();
  Model model(small_shape(), 3, at::kCPU);
  const auto naive = model.forward(batch, {}).logits;
  for (const auto& rung : ladder) {
    if (rung.change == first_reordered) break;
    if (rung.kept) CHECK(model.forward(batch, with(rung.change)).logits.equal(naive));
  }
}

TEST_CASE("the reordered rungs give the naive form's logits within 1e-4", "[stgym]") {
  const auto batch = small_batch();
  Model model(small_shape(), 3, at::kCPU);
  const auto naive = model.forward(batch, {}).logits;
  for (const auto change : {first_reordered, &Switches::project_first, &Switches::fused_optimizer,
                            &Switches::onednn_products, &Switches::no_unread_graph, &Switches::fused_pooling})
    CHECK(at::allclose(model.forward(batch, with(change)).logits, naive, 1e-4, 1e-6));
}

}  // namespace
