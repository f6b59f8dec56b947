#include "workloads/stgym/data/metrics.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>

using namespace workloads::stgym;
using Catch::Matchers::WithinAbs;

namespace {

at::Tensor parts(std::initializer_list<std::int64_t> values) { return at::tensor(values, at::kLong); }

/// Of one graph with all nodes.
Agreement agreement(const at::Tensor& label, const at::Tensor& cluster) {
  return agreement_per_graph(label, cluster, {label.numel()});
}

}  // namespace

TEST_CASE("partitions agree whatever their parts are called") {
  CHECK(agreement(parts({0, 0, 1, 2}), parts({7, 7, 3, 0})).ari == 1);
  CHECK_THAT(agreement(parts({0, 0, 1, 2}), parts({7, 7, 3, 0})).nmi, WithinAbs(1, 1e-12));
}

TEST_CASE("one part on both sides is full agreement, on one side none") {
  CHECK(agreement(parts({0, 0, 0}), parts({1, 1, 1})).nmi == 1);
  CHECK(agreement(parts({0, 0, 0}), parts({1, 1, 1})).ari == 1);
  CHECK(agreement(parts({0, 1, 2}), parts({1, 1, 1})).nmi == 0);
  CHECK(agreement(parts({0, 1, 2}), parts({1, 1, 1})).ari == 0);
}

TEST_CASE("a graph of one node agrees with itself") {
  CHECK(agreement(parts({4}), parts({2})).ari == 1);
  CHECK(agreement(parts({4}), parts({2})).nmi == 1);
}

TEST_CASE("two halves across two halves: 2 of 6 pairs agree, fewer than chance") {
  // Pairs together in both: 0; in each: 2; of 6. Expected 4 / 6; (0 - 2/3) / (2 - 2/3) = -1/2.
  CHECK_THAT(agreement(parts({0, 0, 1, 1}), parts({0, 1, 0, 1})).ari, WithinAbs(-0.5, 1e-12));
  CHECK(agreement(parts({0, 0, 1, 1}), parts({0, 1, 0, 1})).nmi == 0);
}

TEST_CASE("nothing agrees with nothing to a number that is none") {
  const auto nothing = at::empty({0}, at::kLong);
  CHECK(std::isnan(agreement(nothing, nothing).nmi));
  CHECK(std::isnan(agreement(nothing, nothing).ari));
}

TEST_CASE("each graph counts the same, however many nodes it has") {
  const auto mean = agreement_per_graph(parts({0, 1, 0, 0, 1, 1}), parts({5, 6, 0, 1, 0, 1}), {2, 4});
  CHECK_THAT(mean.ari, WithinAbs((1 - 0.5) / 2, 1e-12));
  CHECK_THAT(mean.nmi, WithinAbs(0.5, 1e-12));
}
