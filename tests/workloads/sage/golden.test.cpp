// GraphSAGE against PyTorch Geometric's numbers: tests/golden/sage.json, or any file of its form.
#include "tests/workloads/golden_json.hpp"
#include "tests/workloads/training/formula.hpp"

#include "workloads/sage/batch_feed.hpp"
#include "workloads/sage/sage_model.hpp"
#include "workloads/training/optimizer.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <vector>

namespace {

using namespace workloads;
using namespace workloads::sage;
using Json = nlohmann::ordered_json;

Json reference() { return golden::load("sage.json"); }

/// The file's graph, features and labels, by its formula.
std::shared_ptr<const Graph> graph_of(const Json& file) {
  const auto& rule = file.at("graph");
  const auto& input = file.at("input");
  const golden::Formula formula(file.at("seed"));
  const std::int64_t nodes = rule.at("nodes"), draws = rule.at("draws");
  const auto drawn = [&](std::uint64_t stream) { return formula.integers(stream, {draws}, nodes); };
  const auto one = drawn(rule.at("sources_stream"));
  const auto other =
      (drawn(rule.at("targets_streams")[0]) * drawn(rule.at("targets_streams")[1])).floor_divide(nodes);
  Edges edges;
  for (std::int64_t i = 0; i < draws; ++i) {
    edges.one.push_back(one[i].item<std::int32_t>());
    edges.other.push_back(other[i].item<std::int32_t>());
  }
  return std::make_shared<Graph>(
      Graph{.source = "golden",
            .neighbours = neighbours_of(edges, nodes),
            .features = formula.numbers(input.at("features_stream"), {nodes, input.at("features")}),
            .labels = formula.integers(input.at("labels_stream"), {nodes}, input.at("classes")),
            .classes = input.at("classes"),
            .training = nodes});
}

/// The seeds with all their neighbours, three hops deep.
Order order_of(const Json& file) { return {file.at("input").at("seeds").get<training::Numbers>(), 1}; }
std::vector<std::int64_t> everything(const Json& file) {
  return std::vector<std::int64_t>(file.at("layers").get<std::size_t>(), all_neighbours);
}

bool close(double value, double expected, double most) {
  return std::abs(value - expected) <= most * std::abs(expected);
}

struct Form {
  bool trim = false, by_rows = false, fused = false;
};
constexpr Form forms[] = {
    {}, {.trim = true}, {.by_rows = true}, {.trim = true, .by_rows = true, .fused = true}};

void check_output(const at::Tensor& output, const Json& numbers, double most) {
  const auto expected = at::tensor(numbers.at("output_first").get<std::vector<double>>(), at::kDouble);
  const auto own = output.detach().flatten().slice(0, 0, expected.numel()).to(at::kDouble);
  CHECK((own - expected).abs().max().item<double>() <= most * expected.abs().max().item<double>());
  CHECK(close(output.norm().item<double>(), numbers.at("output_norm"), most));
}

void check_gradients(const training::NamedTensors& parameters, const Json& expected, double most) {
  REQUIRE(parameters.size() == expected.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    CHECK(parameters[i].first == expected[i][0].get<std::string>());
    CHECK(close(parameters[i].second.grad().norm().item<double>(), expected[i][1], most));
  }
}

double norm_of(const training::NamedTensors& parameters) {
  double squares = 0;
  for (const auto& [name, tensor] : parameters) squares += std::pow(tensor.norm().item<double>(), 2);
  return std::sqrt(squares);
}

/// Trains as many steps as the file has losses, all on the same batch.
void check_training(const Json& file, const Form& form, at::ScalarType type, double most) {
  const auto& numbers = file.at(type == at::kDouble ? "fp64" : "fp32");
  const auto graph = graph_of(file);
  const Feed feed(graph, everything(file), {.csr_aggregate = form.by_rows}, at::kCPU);
  auto batch = feed.sampled(order_of(file));
  feed.gather(batch);
  const Model model({.features = graph->features.size(1),
                     .hidden = file.at("hidden"),
                     .classes = graph->classes,
                     .layers = file.at("layers")},
                    type);
  golden::Formula(file.at("seed")).fill(model.parameters());
  training::Optimizer optimizer(model.parameters(),
                                {.algorithm = training::Algorithm::adam, .learning_rate = 0.01}, form.fused);
  bool is_first = true;
  for (const auto& expected : numbers.at("losses")) {
    const auto output = model.forward(batch.features.to(type), batch.graph, form.trim);
    const auto loss = at::cross_entropy_loss(output, batch.labels);
    CHECK(close(loss.item<double>(), expected, most));
    optimizer.zero_grad(/*to_none=*/true);
    loss.backward();
    if (is_first) {
      check_output(output, numbers, most);
      check_gradients(model.parameters(), numbers.at("gradient_norms"), most);
    }
    is_first = false;
    optimizer.step();
  }
  CHECK(close(norm_of(model.parameters()), numbers.at("parameters_norm"), most));
}

TEST_CASE("golden: the graph of the formula has its edges", "[golden]") {
  const auto file = reference();
  const auto whole = graph_of(file);
  const auto& graph = whole->neighbours;
  const auto& rule = file.at("graph");
  CHECK(graph.nodes.size() == rule.at("edges").get<std::size_t>());
  const auto first = rule.at("edges_first")[0].get<std::vector<std::int32_t>>();
  CHECK(std::equal(first.begin(), first.end(), graph.nodes.begin()));
  std::int64_t largest = 0;
  for (std::int64_t node = 0; node < graph.size(); ++node) largest = std::max(largest, graph.degree(node));
  CHECK(largest == rule.at("degree_largest").get<std::int64_t>());
}

TEST_CASE("golden: all neighbors, hop by hop, are those of PyTorch Geometric", "[golden]") {
  const auto file = reference();
  const auto order = order_of(file);
  const auto graph = graph_of(file);
  const auto drawn = sample(graph->neighbours, order.seeds, everything(file), order.seed);
  const auto& expected = file.at("sampled_all_neighbours");
  CHECK(drawn.nodes_by_hop == expected.at("nodes_by_hop").get<std::vector<std::int64_t>>());
  CHECK(drawn.edges_by_hop == expected.at("edges_by_hop").get<std::vector<std::int64_t>>());
  auto node = drawn.nodes.begin();
  for (const auto& hop : expected.at("node_sets_by_hop")) {
    const auto end = node + static_cast<std::ptrdiff_t>(hop.size());
    CHECK(std::set(node, end) == hop.get<std::set<std::int64_t>>());
    node = end;
  }
}

TEST_CASE("golden: GraphSAGE trains as PyTorch Geometric's, in FP64", "[golden]") {
  for (const auto& form : forms) check_training(reference(), form, at::kDouble, 1e-8);
}

TEST_CASE("golden: GraphSAGE trains as PyTorch Geometric's, in FP32", "[golden]") {
  for (const auto& form : forms) check_training(reference(), form, at::kFloat, 1e-4);
}

}  // namespace
