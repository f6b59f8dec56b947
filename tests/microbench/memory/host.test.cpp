#include "microbench/memory/device_floats.hpp"
#include "microbench/memory/varying_lengths.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <vector>

namespace {

using namespace microbench;

TEST_CASE("spread values lie where stride and offset say", "[memory]") {
  const SpreadValues values(5, 3, 2, 11);
  REQUIRE(values.spread.size() == 17);
  for (std::size_t i = 0; i < 5; ++i) CHECK(values.spread[2 + 3 * i] == values.packed[i]);
}

TEST_CASE("a strided copy takes every value of its own and no other", "[memory]") {
  const SpreadValues values(100, 8, 0, 12);
  std::vector<float> out(100);
  copy_strided(out, values.spread, 8);
  CHECK(out == values.packed);
}

TEST_CASE("random floats lie between -1 and 1 and follow the seed", "[memory]") {
  const auto values = random_floats(1000, 1);
  for (const auto value : values) CHECK((value >= -1 && value < 1));
  CHECK(values == random_floats(1000, 1));
  CHECK(values != random_floats(1000, 2));
}

TEST_CASE("a rehearsal leaves no trace in the total, a step does", "[memory]") {
  VaryingLengths training({}, 5, 64);
  training.rehearse(64);
  CHECK(training.total.item<float>() == 0);
  training.step(16);
  const auto one = training.total.item<float>();
  CHECK(one > 0);
  training.step(16);
  CHECK(training.total.item<float>() == 2 * one);
}

}  // namespace
