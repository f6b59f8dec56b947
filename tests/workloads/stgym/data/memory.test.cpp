#include "harness/core/setup.hpp"

#include "workloads/stgym/data/graph_dataset.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace workloads::stgym;

TEST_CASE("memory that is there is not refused") { CHECK_NOTHROW(require_memory(1)); }

TEST_CASE("more than there is is a skipped step") {
  CHECK_THROWS_AS(require_memory(std::size_t{1} << 60), harness::Skip);
}

TEST_CASE("pinned memory is taken in powers of two") {
  CHECK(pinned_bytes(4096) == 4096);
  CHECK(pinned_bytes(4097) == 8192);
  CHECK(pinned_bytes(std::size_t{5'714'648'000}) == std::size_t{8} << 30);
}

}  // namespace
