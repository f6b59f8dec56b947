#include "harness/core/step.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace harness;

namespace {

constexpr Axis axes[] = {{.name = "n", .about = "size", .values = {1, 2}},
                         {.name = "memory", .about = "of the host", .labels = {"pageable", "pinned"}}};
constexpr Device cpu;
constexpr Device cuda{Device::Kind::cuda, 0};

/// What is expected of n:1 and n:2, each pageable and pinned, on a GPU.
std::vector<Outcome> expected(const Expectation& expectation, const Device& device = cuda) {
  const Step step{.id = "test/step",
                  .claim = "It helps.",
                  .source = {},
                  .axes = axes,
                  .prepare = nullptr,
                  .expectation = expectation};
  std::vector<Outcome> all;
  for (const auto& point : points(axes)) all.push_back(expected_of(step, point, device));
  return all;
}

constexpr auto helps = Outcome::helps;
constexpr auto depends = Outcome::depends;

}  // namespace

TEST_CASE("a place names all points with its coordinate, two places those of either", "[step]") {
  CHECK(expected({.outcome = helps, .published = "x", .about = "n:2"}) ==
        std::vector{depends, depends, helps, helps});
  CHECK(expected({.outcome = helps, .published = "x", .about = "n:1 memory:pinned"}) ==
        std::vector{helps, helps, depends, helps});
}

TEST_CASE("a place of two coordinates names the points that have both", "[step]") {
  CHECK(expected({.outcome = helps, .published = "x", .about = "n:2/memory:pageable"}) ==
        std::vector{depends, depends, helps, depends});
  CHECK(expected({.outcome = helps, .published = "x", .except = "memory:pinned/n:1 n:2/memory:pageable"}) ==
        std::vector{helps, depends, depends, helps});
}

TEST_CASE("a place may be a kind of device", "[step]") {
  const Expectation but_not_there{
      .outcome = helps, .published = "x", .on_cpu = helps, .except = "device:cuda/n:1"};
  CHECK(expected(but_not_there) == std::vector{depends, depends, helps, helps});
  CHECK(expected(but_not_there, cpu) == std::vector(4, helps));
}

TEST_CASE("a coordinate is compared whole", "[step]") {
  CHECK(expected({.outcome = helps, .published = "x", .except = "n:11 xn:1 n:1x memory:pin"}) ==
        std::vector(4, helps));
}
