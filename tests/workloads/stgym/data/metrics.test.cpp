#include "workloads/stgym/data/metrics.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <cmath>

using namespace workloads::stgym;

TEST_CASE("accuracy is the share of right predictions") {
  CHECK(accuracy(at::tensor({0, 1, 2, 2}, at::kLong), at::tensor({0, 2, 2, 1}, at::kLong)) == 0.5);
}

TEST_CASE("micro-F1 adds the counts of all classes up: 3 right, 1 wrong of 4 give 6 / (6 + 1 + 1)") {
  CHECK(micro_f1(at::tensor({0, 1, 2, 2}, at::kLong), at::tensor({0, 1, 2, 1}, at::kLong), 5) == 0.75);
}

TEST_CASE("metrics of nothing are not a number") {
  const auto none = at::empty({0}, at::kLong);
  CHECK(std::isnan(accuracy(none, none)));
  CHECK(std::isnan(micro_f1(none, none, 3)));
}
