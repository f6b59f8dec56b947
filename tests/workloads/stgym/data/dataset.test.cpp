#include "tests/workloads/stgym/data/files.hpp"

#include "workloads/stgym/data/graph_dataset.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <limits>

namespace {

using namespace workloads::stgym;

/// Two graphs: the six nodes of neighbours.test.cpp behind a single one.
Dataset two_graphs(NeighbourRule rule) {
  Dataset data;
  data.source = "two graphs";
  data.position =
      at::tensor({9.F, 9.F, 0.F, 0.F, 1.F, 0.F, 2.F, 0.F, 0.F, 1.F, 4.F, 0.F, 4.F, 1.F}).reshape({7, 2});
  data.offsets = {0, 1, 7};
  data.rule = rule;
  data.radius = 1;
  return data;
}

at::Tensor edges(std::initializer_list<std::int64_t> from, std::initializer_list<std::int64_t> to) {
  return at::stack({at::tensor(from, at::kLong), at::tensor(to, at::kLong)});
}

std::string refused(const std::string& option, harness::Options options) {
  return refusal(option, [&] { load_dataset(options, 1); });
}

/// Human-crc's columns with these rows: patient, section, x, y, label, feature.
std::string cells(const std::string& rows) { return "patients,Z:Z,X:X,Y:Y,neighborhood10,CD4\n" + rows; }

}  // namespace

TEST_CASE("radius edges come in both directions, sorted, numbered within the graph") {
  const auto data = two_graphs({.kind = NeighbourRule::Kind::radius});
  CHECK(neighbour_edges(data, 1).equal(edges({0, 0, 1, 1, 2, 3, 4, 5}, {1, 3, 0, 2, 1, 0, 5, 4})));
}

TEST_CASE("knn edges lead from each of the k nearest to the node") {
  const auto data = two_graphs({.kind = NeighbourRule::Kind::knn, .k = 1});
  CHECK(neighbour_edges(data, 1).equal(edges({0, 0, 1, 1, 4, 5}, {1, 3, 0, 2, 5, 4})));
}

TEST_CASE("edges are the index of a coalesced matrix") {
  const auto data = load_dataset({{"scale", "0.02"}}, 3);
  auto dense = data;
  dense.rule = {.kind = NeighbourRule::Kind::knn, .k = 7};
  const auto edge = neighbour_edges(dense, 0);
  const auto key = edge[0] * data.nodes(0) + edge[1];
  CHECK(key.diff().min().item<std::int64_t>() > 0);
  CHECK(edge.size(1) == 7 * data.nodes(0));
}

TEST_CASE("a graph of one node has no edges") {
  CHECK(neighbour_edges(two_graphs({.kind = NeighbourRule::Kind::knn}), 0).size(1) == 0);
}

TEST_CASE("the radius is the ratio of the difference between the largest and the smallest span") {
  const auto data = load_dataset({{"data", "synthetic"}, {"scale", "0.002"}}, 1);
  CHECK(data.radius == 1e-4 * (double{31.392605F} - double{22.807724F}));
}

TEST_CASE("every synthetic graph has an edge at benchmark radius") {
  for (const std::string scale : {"0.001", "0.01"}) {
    const auto data = load_dataset({{"scale", scale}}, 5);
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::int64_t graph = 0; graph < data.graphs(); ++graph)
      least = std::min(least, neighbour_edges(data, graph).size(1));
    CHECK(least >= 2);
  }
}

TEST_CASE("a file whose graphs have one cell each has no edges and is refused") {
  const TemporaryFile file(cells("1,1,0,0,1,5\n1,2,0,0,1,5\n"));
  CHECK(refusal(file.path(), [&] { load_dataset({{"data", "human-crc=" + file.path()}}, 1); }) ==
        ": none of the 2 graphs has an edge because each has only one node");
}

TEST_CASE("a file without an edge within the radius is refused") {
  const TemporaryFile file(
      "donor_id,sample_uuid,UMAP_1,UMAP_2,cell_type,GENE\n"
      "1,1,0,0,T,5\n1,1,10,0,B,5\n1,2,0,0,T,5\n1,2,5,0,B,5\n");
  CHECK(refusal(file.path(), [&] { load_dataset({{"data", "breast-cancer=" + file.path()}}, 1); }) ==
        ": none of the 2 graphs has an edge within the radius of 0.0005");
}

TEST_CASE("a data set that is not known is refused with those that are") {
  const std::string known = " is not one of synthetic, breast-cancer=FILE, human-crc=FILE, brca=FILE";
  CHECK(refused("--data", {{"data", "mouse=x.csv"}}) == ": \"mouse=x.csv\"" + known);
}

TEST_CASE("a layout without a file is refused") {
  CHECK(refused("--data", {{"data", "brca"}}) == " brca: expected a file, as in brca=FILE");
  CHECK(refused("--data", {{"data", "brca="}}) == " brca: expected a file, as in brca=FILE");
}

TEST_CASE("a missing data file is refused") {
  CHECK(refused("/nowhere.csv", {{"data", "brca=/nowhere.csv"}}) ==
        ": cannot be read: No such file or directory");
}

TEST_CASE("a scale that is not a positive number is refused") {
  for (const std::string scale : {"0", "-1", "abc", "nan", "inf", "17", "1x", ""})
    CHECK(refused("--scale", {{"scale", scale}}) ==
          ": \"" + scale + "\" is not a number above 0 and up to 16, such as 0.5 or 1/8");
}

TEST_CASE("a scale for a file is refused") {
  CHECK(refused("--scale", {{"data", "brca=/nowhere.csv"}, {"scale", "0.5"}}) ==
        ": you can scale only synthetic data, not a file");
}
