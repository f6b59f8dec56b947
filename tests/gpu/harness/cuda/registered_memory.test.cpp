#include "harness/cuda/pageable_pinned_device_buffers.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace {

using namespace harness;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

TEST_CASE("page-locked memory that the system refuses is a reason to skip", "[page_lock]") {
  CHECK_THROWS_MATCHES(check_locked(cudaErrorMemoryAllocation, 3 << 20), Skip,
                       MessageMatches(ContainsSubstring("needs 3072 KiB of page-locked memory")));
  CHECK_THROWS_MATCHES(check_locked(cudaErrorNotSupported, 4096), Skip,
                       MessageMatches(ContainsSubstring("cannot be locked in place")));
}

TEST_CASE("any other error of page-locking is a failure", "[page_lock]") {
  CHECK_THROWS_AS(check_locked(cudaErrorInvalidValue, 4096), CudaError);
  CHECK_NOTHROW(check_locked(cudaSuccess, 4096));
}

}  // namespace
