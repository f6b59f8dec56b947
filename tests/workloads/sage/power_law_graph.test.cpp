#include "workloads/sage/csr_graph.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>

namespace {

using namespace workloads::sage;

TEST_CASE("a drawn graph has the scaled numbers of ogbn-products", "[graph]") {
  constexpr double scale = 1. / 64;
  const auto graph = power_law_graph(scale, 1);
  CHECK(graph.neighbours.size() == 38'266);
  CHECK(graph.training == 3'072);
  CHECK(graph.features.sizes() == at::IntArrayRef{38'266, 100});
  CHECK(graph.labels.min().item<std::int64_t>() == 0);
  CHECK(graph.labels.max().item<std::int64_t>() == 46);
  const auto both = 2 * 61'859'140 * scale;  // less those that were drawn twice
  CHECK(static_cast<double>(graph.neighbours.nodes.size()) < both);
  CHECK(static_cast<double>(graph.neighbours.nodes.size()) > 0.97 * both);
}

TEST_CASE("each edge of a drawn graph stands once in each direction, in ascending order", "[graph]") {
  const auto graph = power_law_graph(1. / 512, 1).neighbours;
  const auto neighbours = [&](std::int64_t node) {
    const auto* const begin = graph.nodes.data() + graph.offsets[static_cast<std::size_t>(node)];
    return std::vector(begin, begin + graph.degree(node));
  };
  std::int64_t wrong = 0;
  for (std::int32_t node = 0; node < graph.size(); ++node) {
    const auto own = neighbours(node);
    wrong += std::ranges::adjacent_find(own, std::greater_equal{}) != own.end() ? 1 : 0;
    for (const auto other : own) {
      const auto back = neighbours(other);
      wrong += other == node || !std::ranges::binary_search(back, node) ? 1 : 0;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("degrees of a drawn graph follow a power law: few nodes have many neighbors", "[graph]") {
  const auto graph = power_law_graph(1. / 64, 1).neighbours;
  const auto above = [&](std::int64_t degree) {
    std::int64_t count = 0;
    for (std::int64_t node = 0; node < graph.size(); ++node) count += graph.degree(node) > degree ? 1 : 0;
    return count;
  };
  // Node r of n is the drawn end of e / 2 sqrt(r n) edges: above d there are about n (e / 2 n (d - e / n))^2.
  CHECK(above(200) > 150);
  CHECK(above(200) < 260);
  CHECK(above(800) > 4);
  CHECK(above(800) < 20);
}

TEST_CASE("the same seed draws the same graph, another seed another one", "[graph]") {
  const auto one = power_law_graph(1. / 1024, 1), same = power_law_graph(1. / 1024, 1),
             other = power_law_graph(1. / 1024, 2);
  CHECK(one.neighbours.nodes == same.neighbours.nodes);
  CHECK(at::equal(one.features, same.features));
  CHECK(one.neighbours.nodes != other.neighbours.nodes);
}

TEST_CASE("a graph does not depend on how many threads draw it", "[graph]") {
  const auto drawn_by = [](int threads) {
    const auto before = at::get_num_threads();
    at::set_num_threads(threads);
    auto graph = power_law_graph(1. / 512, 1);
    at::set_num_threads(before);
    return graph;
  };
  const auto one = drawn_by(1), three = drawn_by(3);
  CHECK(one.neighbours.offsets == three.neighbours.offsets);
  CHECK(one.neighbours.nodes == three.neighbours.nodes);
  CHECK(at::equal(one.features, three.features));
}

}  // namespace
