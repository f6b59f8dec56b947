// The small excerpts of published data; they are not part of the project.
#include "workloads/stgym/data/graph_dataset.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <filesystem>
#include <string>

namespace {

using namespace workloads::stgym;

Dataset excerpt(const std::string& name) {
  const auto path = std::filesystem::path(TUNEPROOF_SOURCE_DIR) / ".." / "shared" / "data" / (name + ".csv");
  if (!std::filesystem::exists(path)) SKIP("there is no " << path.string());
  return load_dataset({{"data", name + "=" + path.string()}}, 1);
}

std::pair<std::int64_t, std::int64_t> least_and_most_nodes(const Dataset& data) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t graph = 0; graph < data.graphs(); ++graph) sizes.push_back(data.nodes(graph));
  const auto [least, most] = std::ranges::minmax(sizes);
  return {least, most};
}

}  // namespace

TEST_CASE("human-crc: 14 graphs of 4 to 124 cells with 10 classes") {
  const auto data = excerpt("human-crc");
  CHECK(data.graphs() == 14);
  CHECK(least_and_most_nodes(data) == std::pair<std::int64_t, std::int64_t>(4, 124));
  CHECK(data.nodes() == 499);
  CHECK(data.features() == 58);
  CHECK(at::bincount(data.y, {}, 10).equal(at::tensor({54, 4, 134, 29, 54, 3, 46, 22, 10, 143}, at::kLong)));
}

TEST_CASE("human-crc: each cell has its 10 nearest as neighbours, or all others") {
  const auto data = excerpt("human-crc");
  for (std::int64_t graph = 0; graph < data.graphs(); ++graph) {
    const auto nodes = data.nodes(graph);
    CHECK(neighbour_edges(data, graph).size(1) == nodes * std::min<std::int64_t>(10, nodes - 1));
  }
}

TEST_CASE("brca: 331 graphs of 15 or 30 cells, each with a label") {
  const auto data = excerpt("brca");
  CHECK(data.graphs() == 331);
  CHECK(least_and_most_nodes(data) == std::pair<std::int64_t, std::int64_t>(15, 30));
  CHECK(data.features() == 32);
  CHECK(data.y.size(0) == 331);
  CHECK(data.task == Task::graph_classification);
}

TEST_CASE("brca: 70 % of the graphs are for training") {
  const auto data = excerpt("brca");
  CHECK(split(data, 1).train.size() == 231);
}
