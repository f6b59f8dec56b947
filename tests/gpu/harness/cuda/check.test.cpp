#include "harness/cuda/check.hpp"

#include "tests/gpu/require_device.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstddef>

namespace {

using namespace harness;

/// Asks for more than there is: an error that does not stick.
cudaError_t refused() {
  void* block = nullptr;
  return cudaMalloc(&block, std::size_t{1} << 50);
}

TEST_CASE("an error that was reported is not the next launch's", "[gpu][check]") {
  require_device();
  report(refused());
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE("an error that was thrown is not the next launch's", "[gpu][check]") {
  require_device();
  CHECK_THROWS_AS(check(refused()), CudaError);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

}  // namespace
