#include "harness/cuda/cuda_canary.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

TEST_CASE("of two runs of a canary the second one counts", "[canary]") {
  int runs = 0;
  CHECK(harness::when_awake([&] { return ++runs; }) == 2);
  CHECK(runs == 2);
}

}  // namespace
