#include "workloads/stgym/train/graph_loading.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <memory>

namespace {

using namespace workloads::stgym;

std::shared_ptr<const Dataset> small_data() {
  return std::make_shared<const Dataset>(load_dataset({{"scale", "0.002"}}, 5));
}

const Batches lists = {{3, 0, 7}, {1}, {2, 158}};

void check_passes(BatchLoader& loader, const std::shared_ptr<const Dataset>& data, const Batches& order) {
  BatchLoader alone({data, at::kCPU});
  alone.begin(order);
  loader.begin(order);
  while (const auto expected = alone.next()) {
    const auto batch = loader.next();
    REQUIRE(batch);
    CHECK(batch->x.equal(expected->x));
    CHECK(batch->y.equal(expected->y));
    CHECK(batch->edges.equal(expected->edges));
    CHECK(batch->graph_of.equal(expected->graph_of));
    CHECK(batch->sizes == expected->sizes);
    CHECK(batch->adjacency.is_coalesced());
    CHECK(batch->adjacency.to_dense().equal(expected->adjacency.to_dense()));
  }
  CHECK_FALSE(loader.next());
}

TEST_CASE("loader threads make the batches that training would make itself, pass after pass", "[stgym]") {
  const auto data = small_data();
  BatchLoader loader({data, at::kCPU, 2, Workers::threads});
  check_passes(loader, data, lists);
  check_passes(loader, data, {{9}, {8, 7}});
}

TEST_CASE("loader processes make the batches that training would make itself, pass after pass", "[stgym]") {
  const auto data = small_data();
  BatchLoader loader({data, at::kCPU, 2, Workers::processes});
  check_passes(loader, data, lists);
  check_passes(loader, data, {{5, 6}, {4}, {10}});
}

TEST_CASE("neighbours that were searched once are those that each access would find", "[stgym]") {
  const auto data = small_data();
  const auto built = std::make_shared<const Neighbourhoods>(all_neighbourhoods(*data, at::kCPU));
  BatchLoader loader({.dataset = data, .device = at::kCPU, .built = built});
  check_passes(loader, data, lists);
  check_passes(loader, data, lists);
}

/// Graphs of so many nodes.
std::vector<GraphItem> graphs_of(const std::vector<std::int64_t>& sizes) {
  std::vector<GraphItem> graphs;
  for (const auto n : sizes) {
    const auto edges = at::zeros({2, 1}, at::kLong);
    graphs.push_back({at::rand({n, 3}), at::zeros({n}, at::kLong), edges, adjacency_of(edges, n)});
  }
  return graphs;
}

TEST_CASE("a batch that is lined up has the joined one's features where they lie, and all else", "[stgym]") {
  const auto graphs = graphs_of({300, 256, 1000});
  const auto batch = line_up(graphs);
  const auto joined = join(graphs);
  REQUIRE(batch.parts.size() == 3);
  for (std::size_t i = 0; i < graphs.size(); ++i)
    CHECK(batch.parts[i].const_data_ptr() == graphs[i].x.const_data_ptr());
  CHECK_FALSE(batch.x.defined());
  CHECK(batch.sizes == joined.sizes);
  CHECK(batch.y.equal(joined.y));
  CHECK(batch.edges.equal(joined.edges));
  CHECK(batch.graph_of.equal(joined.graph_of));
  CHECK(batch.adjacency.indices().equal(joined.adjacency.indices()));
}

TEST_CASE("small graphs of a batch that is lined up are copied together", "[stgym]") {
  const auto graphs = graphs_of({100, 100, 100, 400, 20, 3});
  const auto batch = line_up(graphs);
  std::vector<std::int64_t> rows;
  for (const auto& part : batch.parts) rows.push_back(part.size(0));
  CHECK(rows == std::vector<std::int64_t>{300, 400, 23});
  CHECK(at::cat(batch.parts).equal(join(graphs).x));
}

TEST_CASE("labels outlive their batch, since a metric needs them at the end of a pass", "[stgym]") {
  const auto data = small_data();
  BatchLoader loader({data, at::kCPU, 1, Workers::processes});
  loader.begin(lists);
  const auto first = loader.next()->y;
  while (loader.next()) continue;
  BatchLoader alone({data, at::kCPU});
  alone.begin(lists);
  CHECK(first.equal(alone.next()->y));
}

}  // namespace
