#include "workloads/stgym/data/nearest_nodes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using namespace workloads::stgym;
using Lists = std::vector<std::vector<std::int64_t>>;

// 3        5
// |        |
// 0--1--2  4     at (0,0) (1,0) (2,0) (0,1) (4,0) (4,1)
const std::vector<float> six = {0, 0, 1, 0, 2, 0, 0, 1, 4, 0, 4, 1};

Lists lists(const Neighbours& found) {
  Lists result;
  for (std::size_t i = 0; i + 1 < found.start.size(); ++i)
    result.emplace_back(found.index.begin() + static_cast<std::ptrdiff_t>(found.start[i]),
                        found.index.begin() + static_cast<std::ptrdiff_t>(found.start[i + 1]));
  return result;
}

/// All pairs, sorted: what the tree must find.
Lists by_all_pairs(const std::vector<float>& xy, std::size_t limit, double radius) {
  const auto nodes = xy.size() / 2;
  Lists result(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    std::vector<std::pair<double, std::int64_t>> others;
    for (std::size_t j = 0; j < nodes; ++j) {
      const double dx = double{xy[2 * i]} - xy[2 * j];
      const double dy = double{xy[2 * i + 1]} - xy[2 * j + 1];
      const double squared = dx * dx + dy * dy;
      if (i != j && squared <= radius * radius) others.emplace_back(squared, static_cast<std::int64_t>(j));
    }
    std::ranges::sort(others);
    others.resize(std::min(limit, others.size()));
    for (const auto& [distance, j] : others) result[i].push_back(j);
  }
  return result;
}

std::vector<float> random_points(std::size_t nodes, unsigned grid) {
  std::mt19937 engine(7);
  std::vector<float> xy(2 * nodes);
  for (auto& value : xy) value = static_cast<float>(engine() % grid) / 8;
  return xy;
}

constexpr double anywhere = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("six nodes: neighbours within the radius, its boundary included") {
  CHECK(lists(find_neighbours(six, 32, 1)) == Lists{{1, 3}, {0, 2}, {1}, {0}, {5}, {4}});
}

TEST_CASE("six nodes: the two nearest, the lower number first where two are equally far") {
  CHECK(lists(find_neighbours(six, 2)) == Lists{{1, 3}, {0, 2}, {1, 0}, {0, 1}, {5, 2}, {4, 2}});
}

TEST_CASE("where more nodes than the limit lie within the radius, the nearest are kept") {
  CHECK(lists(find_neighbours(six, 1, 2)) == Lists{{1}, {0}, {1}, {0}, {5}, {4}});
}

TEST_CASE("a graph smaller than the limit has all other nodes as neighbours") {
  CHECK(lists(find_neighbours(std::vector<float>{0, 0, 3, 0, 1, 0}, 20)) == Lists{{2, 1}, {2, 0}, {0, 1}});
}

TEST_CASE("a single node has no neighbours") {
  CHECK(lists(find_neighbours(std::vector<float>{1, 2}, 10)) == Lists{{}});
}

TEST_CASE("no nodes have no neighbours") { CHECK(find_neighbours({}, 10).start.size() == 1); }

TEST_CASE("nodes at one place are neighbours, by number") {
  const std::vector<float> xy(200, 1.5F);
  CHECK(lists(find_neighbours(xy, 32, 0)) == by_all_pairs(xy, 32, 0));
}

TEST_CASE("the tree finds what all pairs find, among many equal distances") {
  for (const unsigned grid : {20U, 1000U}) {
    const auto xy = random_points(700, grid);
    CHECK(lists(find_neighbours(xy, 10)) == by_all_pairs(xy, 10, anywhere));
    CHECK(lists(find_neighbours(xy, 32, 0.5)) == by_all_pairs(xy, 32, 0.5));
    CHECK(lists(find_neighbours(xy, 32, 8)) == by_all_pairs(xy, 32, 8));
  }
}
