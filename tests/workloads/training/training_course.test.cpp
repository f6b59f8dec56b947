#include "workloads/training/training_log.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <limits>
#include <vector>

namespace {

using workloads::training::Course;
using Batches = std::vector<workloads::training::Numbers>;

/// Three batches of one sample: epoch 2 has 20, 21, 22.
Course course() {
  return Course([](std::int64_t epoch) { return Batches{{10 * epoch}, {10 * epoch + 1}, {10 * epoch + 2}}; });
}

TEST_CASE("a course goes from batch to batch and on into the next epoch", "[training]") {
  auto at = course();
  CHECK(at.batch() == Batches::value_type{0});
  CHECK_FALSE(at.advance());
  CHECK(at.batches_left() == Batches{{1}, {2}});
  CHECK_FALSE(at.advance());
  CHECK(at.advance());
  CHECK(at.epoch() == 1);
  CHECK(at.batch() == Batches::value_type{10});
}

TEST_CASE("a course goes back to a batch of any epoch, round and round, and forgets the losses",
          "[training]") {
  auto at = course();
  at.note(at::ones({}));
  at.rewind(2, 4);
  CHECK(at.epoch() == 2);
  CHECK(at.batch() == Batches::value_type{21});
  CHECK(at.finite_losses().empty());
}

TEST_CASE("the first loss that is not finite is named by its batch", "[training]") {
  auto at = course();
  at.note(at::ones({}));
  CHECK(at.finite_losses() == std::vector<float>{1});
  for (int i = 0; i < 2; ++i) at.note(at::full({}, std::numeric_limits<float>::quiet_NaN()));
  CHECK_THROWS_WITH(at.finite_losses(), "batch 2: the loss is not finite");
}

}  // namespace
