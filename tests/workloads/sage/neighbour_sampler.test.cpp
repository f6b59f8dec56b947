#include "workloads/sage/neighbour_sampler.hpp"

#include "workloads/sage/csr_graph.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

namespace {

using namespace workloads::sage;

/// Node 0 with `leaves` neighbours.
Neighbours star(std::int32_t leaves) {
  Edges edges;
  for (std::int32_t leaf = 1; leaf <= leaves; ++leaf) {
    edges.one.push_back(0);
    edges.other.push_back(leaf);
  }
  return neighbours_of(edges, leaves + 1);
}

std::vector<std::int64_t> drawn_of_star(const Neighbours& graph, std::int64_t fan_out, std::uint64_t seed) {
  const std::vector<std::int64_t> seeds{0}, fan_outs{fan_out};
  const auto drawn = sample(graph, seeds, fan_outs, seed);
  std::vector<std::int64_t> nodes;
  for (const auto source : drawn.sources) nodes.push_back(drawn.nodes[static_cast<std::size_t>(source)]);
  return nodes;
}

/// True if a count of independent draws is as probable as six standard deviations are.
bool expected(int count, int draws, double probability) {
  const auto deviation = std::sqrt(draws * probability * (1 - probability));
  return std::abs(count - draws * probability) < 6 * deviation;
}

TEST_CASE("each node gets min(degree, fan-out) different neighbors of its own", "[sampler]") {
  const auto graph = power_law_graph(1. / 1024, 1).neighbours;
  std::vector<std::int64_t> seeds(50);
  std::iota(seeds.begin(), seeds.end(), 100);
  const std::vector<std::int64_t> fan_outs{15, 10, 5};
  const auto drawn = sample(graph, seeds, fan_outs, 5);
  std::int64_t target = 0;
  for (std::size_t hop = 0; hop < fan_outs.size(); ++hop)
    for (std::int64_t i = 0; i < drawn.nodes_by_hop[hop]; ++i, ++target) {
      const auto node = drawn.nodes[static_cast<std::size_t>(target)];
      const auto* const begin = graph.nodes.data() + graph.offsets[static_cast<std::size_t>(node)];
      std::set<std::int64_t> sources;
      const auto first = drawn.offsets[static_cast<std::size_t>(target)];
      const auto last = drawn.offsets[static_cast<std::size_t>(target) + 1];
      for (auto edge = first; edge < last; ++edge) {
        const auto source =
            drawn.nodes[static_cast<std::size_t>(drawn.sources[static_cast<std::size_t>(edge)])];
        CHECK(std::binary_search(begin, begin + graph.degree(node), source));
        sources.insert(source);
      }
      CHECK(std::ssize(sources) == std::min(graph.degree(node), fan_outs[hop]));
      CHECK(last - first == std::ssize(sources));
    }
}

TEST_CASE("nodes are numbered as they are found, each once, and hops are counted", "[sampler]") {
  const auto graph = power_law_graph(1. / 1024, 1).neighbours;
  const std::vector<std::int64_t> seeds{3, 1000, 7}, fan_outs{4, 3};
  const auto drawn = sample(graph, seeds, fan_outs, 5);
  CHECK(std::equal(seeds.begin(), seeds.end(), drawn.nodes.begin()));
  CHECK(std::set(drawn.nodes.begin(), drawn.nodes.end()).size() == drawn.nodes.size());
  CHECK(drawn.nodes_by_hop.size() == 3);
  CHECK(std::accumulate(drawn.nodes_by_hop.begin(), drawn.nodes_by_hop.end(), std::int64_t{0}) ==
        std::ssize(drawn.nodes));
  CHECK(std::accumulate(drawn.edges_by_hop.begin(), drawn.edges_by_hop.end(), std::int64_t{0}) ==
        std::ssize(drawn.sources));
  CHECK(drawn.offsets.size() == drawn.nodes.size() + 1);
  std::int64_t found = std::ssize(seeds) - 1;  // the largest number so far
  for (const auto source : drawn.sources) {
    CHECK(source <= found + 1);
    found = std::max(found, source);
  }
  CHECK(found + 1 == std::ssize(drawn.nodes));
}

TEST_CASE("each neighbor is drawn as often as every other one", "[sampler]") {
  constexpr int draws = 20'000, leaves = 20, fan_out = 5;
  const auto graph = star(leaves);
  std::map<std::int64_t, int> count;
  for (int i = 0; i < draws; ++i)
    for (const auto node : drawn_of_star(graph, fan_out, batch_seed(1, 0, i))) ++count[node];
  CHECK(count.size() == leaves);
  for (const auto& [node, times] : count) CHECK(expected(times, draws, double{fan_out} / leaves));
}

TEST_CASE("each pair of neighbors is drawn as often as every other one", "[sampler]") {
  constexpr int draws = 20'000, pairs = 10;
  const auto graph = star(5);
  std::map<std::set<std::int64_t>, int> count;
  for (int i = 0; i < draws; ++i) {
    const auto nodes = drawn_of_star(graph, 2, batch_seed(2, 0, i));
    ++count[{nodes.begin(), nodes.end()}];
  }
  CHECK(count.size() == pairs);
  for (const auto& [pair, times] : count) CHECK(expected(times, draws, 1. / pairs));
}

TEST_CASE("a node's neighbors depend on the seed and the node, not on who was drawn before", "[sampler]") {
  const auto graph = power_law_graph(1. / 1024, 1).neighbours;
  const std::vector<std::int64_t> fan_outs{4}, two{3, 1000}, swapped{1000, 3};
  const auto one = sample(graph, two, fan_outs, 5), other = sample(graph, swapped, fan_outs, 5);
  const auto sources = [](const Sampled& drawn, std::int64_t target) {
    std::vector<std::int64_t> nodes;
    for (auto edge = 4 * target; edge < 4 * target + 4; ++edge)
      nodes.push_back(drawn.nodes[static_cast<std::size_t>(drawn.sources[static_cast<std::size_t>(edge)])]);
    return nodes;
  };
  CHECK(sources(one, 0) == sources(other, 1));
  CHECK(sources(one, 1) == sources(other, 0));
}

TEST_CASE("each batch of each epoch has a seed of its own", "[sampler]") {
  std::set<std::uint64_t> seeds;
  for (std::int64_t epoch = 0; epoch < 20; ++epoch)
    for (std::int64_t batch = 0; batch < 200; ++batch) seeds.insert(batch_seed(1, epoch, batch));
  CHECK(seeds.size() == 20 * 200);
  CHECK_FALSE(seeds.contains(batch_seed(2, 0, 0)));
}

TEST_CASE("a node without neighbors has no edges", "[sampler]") {
  const auto graph = neighbours_of({.one = {0}, .other = {1}}, 3);
  const std::vector<std::int64_t> seeds{2}, fan_outs{5, 5};
  const auto drawn = sample(graph, seeds, fan_outs, 1);
  CHECK(drawn.nodes_by_hop == std::vector<std::int64_t>{1, 0, 0});
  CHECK(drawn.edges_by_hop == std::vector<std::int64_t>{0, 0});
}

}  // namespace
