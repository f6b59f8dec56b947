#include "workloads/stgym/data/metrics.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>
#include <limits>

using namespace workloads::stgym;
using Catch::Matchers::WithinAbs;

namespace {
at::Tensor labels(std::initializer_list<std::int64_t> values) { return at::tensor(values, at::kLong); }
at::Tensor scores(std::initializer_list<double> values) { return at::tensor(values, at::kDouble); }
}  // namespace

TEST_CASE("the area is the share of pairs in the right order: 3 of 4") {
  CHECK(roc_auc(labels({0, 0, 1, 1}), scores({0.1, 0.4, 0.35, 0.8})) == 0.75);
}

TEST_CASE("equal scores count half") {
  CHECK(roc_auc(labels({0, 1, 0, 1}), scores({1, 1, 1, 1})) == 0.5);
  CHECK(roc_auc(labels({1, 0, 1}), scores({0, 0, 1})) == 0.75);
}

TEST_CASE("the area of one class alone, of nothing and of NaN is not a number") {
  CHECK(std::isnan(roc_auc(labels({1, 1}), scores({0, 1}))));
  CHECK(std::isnan(roc_auc(at::empty({0}, at::kLong), at::empty({0}))));
  CHECK(std::isnan(roc_auc(labels({0, 1}), scores({0, std::numeric_limits<double>::quiet_NaN()}))));
}

TEST_CASE("of several classes, pairs without samples are left out") {
  const auto score = at::tensor({0.8, 0.1, 0.1, 0.3, 0.5, 0.2, 0.6, 0.3, 0.1}, at::kDouble).view({3, 3});
  // Class 0 against 1 only: 0 has {0.8, 0.6}, 1 has {0.3} (always lower); 1 scores 0.5, 0 has {0.1, 0.3}.
  CHECK(roc_auc_one_versus_one(labels({0, 1, 0}), score) == 1);
  CHECK(std::isnan(roc_auc_one_versus_one(labels({0, 0, 0}), score)));
}
