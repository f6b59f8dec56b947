#include "harness/libtorch/place.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

using harness::libtorch::share_of;

TEST_CASE("ranks share the CPUs among them, neighbours together", "[ranks]") {
  const std::vector cpus{0, 1, 4, 5, 6};
  CHECK(share_of(cpus, 0, 2) == std::vector{0, 1});
  CHECK(share_of(cpus, 1, 2) == std::vector{4, 5, 6});
  CHECK(share_of(cpus, 0, 1) == cpus);
  CHECK(share_of(cpus, 4, 5) == std::vector{6});
}

TEST_CASE("a rank without a CPU of its own is refused", "[ranks]") {
  CHECK_THROWS_AS(share_of(std::vector{3}, 0, 2), harness::Skip);
}

}  // namespace
