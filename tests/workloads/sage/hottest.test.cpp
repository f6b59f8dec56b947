#include "tests/workloads/sage/small_graph.hpp"

#include "workloads/sage/device_sampler.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

namespace {

using namespace workloads::sage;

TEST_CASE("the hottest nodes are a tenth of the graph, and no other has more neighbors", "[hot]") {
  const auto graph = small_graph::job().graph->neighbours;
  const auto hot = hottest(graph);
  CHECK(hot.size(0) == graph.size() / 10);
  const auto degrees = at::tensor(graph.offsets, at::kLong).diff();
  auto others = degrees.clone();
  others.index_fill_(0, hot, 0);
  CHECK(others.max().item<std::int64_t>() <= degrees.index_select(0, hot).min().item<std::int64_t>());
}

TEST_CASE("samples meet the hottest tenth more often than a tenth of their rows", "[hot]") {
  const auto graph = power_law_graph(1. / 64, 1);
  auto is_hot = at::zeros({graph.neighbours.size()}, at::kBool);
  is_hot.index_fill_(0, hottest(graph.neighbours), true);
  std::vector<std::int64_t> seeds;
  for (std::int64_t i = 0; i < 16; ++i) seeds.push_back(37 * i);
  const auto drawn = sample(graph.neighbours, seeds, std::vector<std::int64_t>{15, 10, 5}, 1);
  const auto rows = at::tensor(drawn.nodes, at::kLong);
  CHECK(is_hot.index_select(0, rows).to(at::kDouble).mean().item<double>() > 0.15);
}

}  // namespace
