#include "tests/workloads/stgym/space/numerical_gradient.hpp"
#include "tests/workloads/stgym/space/small_graphs.hpp"

#include "workloads/stgym/space_model/layers.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <variant>

namespace {

using namespace workloads::stgym;
using space::LayerType;

constexpr LayerType all_layers[] = {LayerType::gcnconv, LayerType::ginconv, LayerType::sageconv};

space::Convolution make(LayerType type) {
  space::MpLayer layer;
  layer.layer_type = type;
  layer.dim_inner = 4;
  layer.style.has_bias = true;
  space::ParameterSource source(3, at::kDouble);
  return space::make_convolution(layer, 3, source);
}

/// Five nodes, of which 1 and 4 have no neighbour. Rows of A are targets: A x sums up sources.
struct Example {
  at::Tensor ends = at::tensor({0, 1, 1, 2, 2, 3, 0, 0}, at::kLong).view({2, 4});
  at::Tensor weights = at::tensor({0.5, 2.0, 1.5, 0.25}, at::kDouble);
  at::Tensor x = tests::Numbers(1).signed_numbers({5, 3});
  at::Tensor adjacency(bool weighted) const {
    const auto values = weighted ? weights : at::ones({4}, at::kDouble);
    return at::zeros({5, 5}, at::kDouble).index_put_({ends[1], ends[0]}, values);
  }
};

/// Node 3 has an edge to itself.
Example with_loop() {
  Example example;
  example.ends = at::tensor({0, 1, 3, 2, 1, 2, 3, 0}, at::kLong).view({2, 4});
  return example;
}

at::Tensor dense_linear(const at::Tensor& x, const Linear& linear) {
  const auto y = at::matmul(x, linear.weight.t());
  return linear.bias.defined() ? y + linear.bias : y;
}

TEST_CASE("GCN multiplies by the normalised adjacency with self loops", "[space]") {
  const auto gcn = std::get<space::Gcn>(make(LayerType::gcnconv));
  for (const auto& example : {Example(), with_loop()})
    for (const bool weighted : {false, true}) {
      auto a = example.adjacency(weighted);
      for (std::int64_t i = 0; i < 5; ++i)
        if (a[i][i].item<double>() == 0) a[i][i] = 1;  // a loop that is there stays as it is
      const auto root = a.sum(1).rsqrt();
      const auto expected =
          dense_linear(at::matmul(root.unsqueeze(1) * a * root.unsqueeze(0), example.x), gcn.linear);
      const space::Edges edges{example.ends, weighted ? example.weights : at::Tensor()};
      CHECK(at::allclose(gcn(example.x, edges, {}), expected, 1e-12, 1e-12));
    }
}

TEST_CASE("GCN's bias is added once, behind the sum", "[space]") {
  auto gcn = std::get<space::Gcn>(make(LayerType::gcnconv));
  const Example example;
  const auto without = gcn(example.x, {example.ends}, {});
  gcn.linear.bias.detach().fill_(2);
  CHECK(at::allclose(gcn(example.x, {example.ends}, {}), without + 2));
}

TEST_CASE("GraphSAGE adds the map of the neighbours' mean, 0 where there is none, to a map of the node",
          "[space]") {
  const auto sage = std::get<space::Sage>(make(LayerType::sageconv));
  const Example example;
  const auto a = example.adjacency(false);
  const auto mean = at::matmul(a, example.x) / a.sum(1, true).clamp_min(1);
  const auto expected = dense_linear(mean, sage.neighbours) + dense_linear(example.x, sage.own);
  CHECK(sage.neighbours.bias.defined());
  CHECK_FALSE(sage.own.bias.defined());
  CHECK(at::allclose(sage(example.x, {example.ends}, {}), expected, 1e-12, 1e-12));
}

TEST_CASE("GIN maps the sum over a node and its neighbours twice", "[space]") {
  const auto gin = std::get<space::Gin>(make(LayerType::ginconv));
  const Example example;
  const auto sum = example.x + at::matmul(example.adjacency(false), example.x);
  const auto expected = dense_linear(dense_linear(sum, gin.first).relu(), gin.second);
  CHECK(at::allclose(gin(example.x, {example.ends}, {}), expected, 1e-12, 1e-12));
}

TEST_CASE("GIN and GraphSAGE know of no weights", "[space]") {
  const Example example;
  for (const auto type : {LayerType::ginconv, LayerType::sageconv}) {
    const auto layer = make(type);
    const auto plain = space::convolve(layer, example.x, {example.ends}, {});
    CHECK(space::convolve(layer, example.x, {example.ends, example.weights}, {}).equal(plain));
  }
}

TEST_CASE("multiplying before the sum changes a layer by rounding only", "[space]") {
  const Example example;
  Switches fast;
  fast.project_first = true;
  for (const auto type : all_layers) {
    const auto layer = make(type);
    const auto slow = space::convolve(layer, example.x, {example.ends, example.weights}, {});
    CHECK(at::allclose(space::convolve(layer, example.x, {example.ends, example.weights}, fast), slow, 1e-12,
                       1e-12));
  }
}

TEST_CASE("a layer's gradients are the numerical ones, those of edge weights too", "[space]") {
  for (const auto type : all_layers)
    for (const bool project_first : {false, true}) {
      const auto example = with_loop();
      const auto x = example.x.set_requires_grad(true);
      const auto weights = example.weights.set_requires_grad(true);
      const auto layer = make(type);
      Switches switches;
      switches.project_first = project_first;
      std::vector<at::Tensor> leaves = {x, weights};
      NamedTensors parameters;
      space::add_to(parameters, "", layer);
      for (const auto& [name, parameter] : parameters) leaves.push_back(parameter);
      const auto mix = tests::Numbers(2).signed_numbers({5, 4});
      const auto loss = [&] {
        return (space::convolve(layer, x, {example.ends, weights}, switches) * mix).sum();
      };
      INFO(static_cast<int>(type) << (project_first ? ", projected first" : ""));
      CHECK(tests::gradient_error(loss, leaves) < 1e-7);
    }
}

TEST_CASE("without a bias a layer has none, but GIN's maps keep theirs", "[space]") {
  for (const auto type : all_layers) {
    space::MpLayer layer;
    layer.layer_type = type;
    layer.style.has_bias = false;
    space::ParameterSource source(3, at::kFloat);
    NamedTensors parameters;
    space::add_to(parameters, "", space::make_convolution(layer, 3, source));
    std::size_t biases = 0;
    for (const auto& [name, parameter] : parameters) biases += name.ends_with("bias") ? 1U : 0U;
    CHECK(biases == (type == LayerType::ginconv ? 2 : 0));
  }
}

}  // namespace
