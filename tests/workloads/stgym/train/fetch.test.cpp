#include "tests/workloads/stgym/step_traffic.hpp"

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/data/nearest_nodes.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

using namespace workloads::stgym;

/// Two graphs on a grid of so many steps a side, on which many nodes are equally far from another one, and
/// some are in the same place.
Dataset on_a_grid(const NeighbourRule& rule, double radius, std::int64_t steps) {
  Dataset data;
  data.position = at::randint(steps, {700, 2}, at::kFloat) / 8;
  data.x = at::rand({700, 3});
  data.y = at::zeros({700}, at::kLong);
  data.offsets = {0, 200, 700};
  data.rule = rule;
  data.radius = radius;
  return data;
}

void check_same_edges(const Dataset& host) {
  const auto device = move_to(host, {at::kCUDA, 0});
  for (std::int64_t graph = 0; graph < host.graphs(); ++graph) {
    const auto found = neighbour_edges(device, graph);
    CHECK(found.is_cuda());
    CHECK(found.cpu().equal(neighbour_edges(host, graph)));
  }
}

TEST_CASE("gpu: the device finds the neighbours that the host finds, ties and the limit of 32 included",
          "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  for (const auto steps : std::vector<std::int64_t>{6, 60, 6000}) {
    INFO(steps << " steps");
    for (const auto radius : {0.01, 0.25, 2.0})
      check_same_edges(on_a_grid({.kind = NeighbourRule::Kind::radius}, radius, steps));
    for (const auto k : {1, 10, 30, 600})
      check_same_edges(on_a_grid({.kind = NeighbourRule::Kind::knn, .k = k}, 0, steps));
  }
}

TEST_CASE("gpu: a search on the device decides between nodes as far away in FP32 by FP64", "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  // From (0, 0) to the first it is 1 + 2^-22 + 2^-46 squared, to the second 1 + 2^-22.
  const auto xy = at::tensor({1 + 0x1p-23F, 0.0F, 1.0F, 0x1p-11F, 0.0F, 0.0F}).view({3, 2});
  const auto edges = edges_on_device(xy.to(at::kCUDA), 1, 10).cpu();
  const auto to_last = edges[1].eq(2).nonzero().flatten();
  CHECK(edges[0].index_select(0, to_last).equal(at::tensor({1}, at::kLong)));
}

TEST_CASE("gpu: a search on the device copies nothing to the host and back", "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  const auto device = move_to(on_a_grid({.kind = NeighbourRule::Kind::radius}, 0.25, 60), {at::kCUDA, 0});
  const auto traffic = tests::operator_traffic([&] { neighbour_edges(device, 0); });
  CHECK(traffic.contains("aten::nonzero"));
  for (const auto& [name, calls] : traffic) {
    INFO(name);
    CHECK(calls.crossings == 0);
  }
}

TEST_CASE("gpu: a copy to the host crosses from one memory to the other, one on the device does not",
          "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  const auto there = at::ones({8}, at::device(at::kCUDA));
  CHECK(tests::operator_traffic([&] { there.cpu(); }).at("aten::copy_").crossings == 1);
  CHECK(tests::operator_traffic([&] { at::empty_like(there).copy_(there); }).at("aten::copy_").crossings ==
        0);
}

TEST_CASE("gpu: a batch of a data set on the device is the host's", "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  const auto host = load_dataset({{"scale", "0.01"}}, 7);
  const auto device = move_to(host, {at::kCUDA, 0});
  const auto a = fetch_batch(host, {0, 3, 5});
  const auto b = fetch_batch(device, {0, 3, 5});
  CHECK(b.x.cpu().equal(a.x));
  CHECK(b.edges.cpu().equal(a.edges));
  CHECK(b.adjacency.indices().cpu().equal(a.adjacency.indices()));
  CHECK(b.adjacency.values().cpu().equal(a.adjacency.values()));
}

}  // namespace
