// Reference numbers of other programs: tests/golden/metrics_and_graphs.json, or any file of its form.
#include "workloads/stgym/data/metrics.hpp"
#include "workloads/stgym/data/nearest_nodes.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace workloads::stgym;
using Catch::Matchers::WithinAbs;
using nlohmann::json;
using Lists = std::vector<std::vector<std::int64_t>>;

json reference() {
  const auto* chosen = std::getenv("TUNEPROOF_GOLDEN_DIR");  // NOLINT(concurrency-mt-unsafe): one thread
  const std::string directory = chosen != nullptr ? chosen : TUNEPROOF_SOURCE_DIR "/tests/golden";
  std::ifstream file(directory + "/metrics_and_graphs.json");
  if (!file) FAIL("there is no file metrics_and_graphs.json in " << directory);
  return json::parse(file);
}

Lists lists(const Neighbours& found) {
  Lists result;
  for (std::size_t i = 0; i + 1 < found.start.size(); ++i)
    result.emplace_back(found.index.begin() + static_cast<std::ptrdiff_t>(found.start[i]),
                        found.index.begin() + static_cast<std::ptrdiff_t>(found.start[i + 1]));
  return result;
}

/// Neighbours within the radius, by node number, as in the file.
Lists sorted(Lists all) {
  for (auto& list : all) std::ranges::sort(list);
  return all;
}

std::vector<float> positions(const json& graph) {
  std::vector<float> xy;
  for (const auto& node : graph.at("position")) {
    xy.push_back(node.at(0).get<float>());
    xy.push_back(node.at(1).get<float>());
  }
  return xy;
}

at::Tensor labels(const json& values) {
  return at::tensor(values.get<std::vector<std::int64_t>>(), at::kLong);
}

at::Tensor matrix(const json& rows) {
  std::vector<at::Tensor> all;
  for (const auto& row : rows) all.push_back(at::tensor(row.get<std::vector<double>>(), at::kDouble));
  return at::stack(all);
}

/// Predicted classes: the most probable one of each row.
at::Tensor most_probable(const json& rows) {
  std::vector<std::int64_t> best;
  for (const auto& row : rows) {
    const auto p = row.get<std::vector<double>>();
    best.push_back(std::ranges::max_element(p) - p.begin());
  }
  return at::tensor(best, at::kLong);
}

}  // namespace

TEST_CASE("golden: accuracy and micro-F1 are those of scikit-learn") {
  const auto file = reference();
  for (const auto& entry : file.at("multiclass_ovo")) {
    const auto predicted = most_probable(entry.at("probability"));
    const auto label = at::tensor(entry.at("y").get<std::vector<std::int64_t>>(), at::kLong);
    const auto classes = static_cast<std::int64_t>(entry.at("probability").at(0).size());
    CHECK_THAT(accuracy(predicted, label), WithinAbs(entry.at("accuracy").get<double>(), 1e-9));
    CHECK_THAT(micro_f1(predicted, label, classes), WithinAbs(entry.at("micro_f1").get<double>(), 1e-9));
  }
}

TEST_CASE("golden: the area under the ROC curve is that of scikit-learn, ties included") {
  const auto file = reference();
  for (const auto& entry : file.at("binary")) {
    const auto score = at::tensor(entry.at("score").get<std::vector<double>>(), at::kDouble);
    CHECK_THAT(roc_auc(labels(entry.at("y")), score), WithinAbs(entry.at("roc_auc").get<double>(), 1e-9));
  }
  for (const auto& entry : file.at("multiclass_ovo"))
    CHECK_THAT(roc_auc_one_versus_one(labels(entry.at("y")), matrix(entry.at("probability"))),
               WithinAbs(entry.at("roc_auc").get<double>(), 1e-9));
}

TEST_CASE("golden: NMI and ARI are those of scikit-learn") {
  const auto file = reference();
  for (const auto& entry : file.at("clustering")) {
    const auto label = labels(entry.at("true"));
    const auto cluster = labels(entry.at("pred"));
    const auto agreement = agreement_per_graph(label, cluster, {label.numel()});
    CHECK_THAT(agreement.nmi, WithinAbs(entry.at("nmi").get<double>(), 1e-9));
    CHECK_THAT(agreement.ari, WithinAbs(entry.at("ari").get<double>(), 1e-9));
  }
}

TEST_CASE("golden: neighbours within the radius are those of SciPy") {
  const auto file = reference();
  for (const auto& graph : file.at("graphs")) {
    const auto found = find_neighbours(positions(graph), 32, graph.at("radius").get<double>());
    CHECK(sorted(lists(found)) == sorted(graph.at("radius_neighbours").get<Lists>()));
  }
}

TEST_CASE("golden: the k nearest neighbours are those of SciPy, nearest first") {
  const auto file = reference();
  for (const auto& graph : file.at("graphs")) {
    const auto found = find_neighbours(positions(graph), graph.at("k").get<std::size_t>());
    CHECK(lists(found) == graph.at("nearest").get<Lists>());
  }
}
