#include "harness/libtorch/precision.hpp"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <catch2/catch_test_macros.hpp>

#include <stdexcept>

namespace {

using harness::Autocast;

at::ScalarType type_of_product() { return at::linear(at::ones({2, 8}), at::ones({4, 8})).scalar_type(); }

TEST_CASE("products are short inside of the region and FP32 outside", "[autocast]") {
  CHECK(type_of_product() == at::kFloat);
  {
    const Autocast on(at::kCPU, at::kBFloat16);
    CHECK(type_of_product() == at::kBFloat16);
  }
  CHECK(type_of_product() == at::kFloat);
}

TEST_CASE("an inner region puts back what the outer one had set", "[autocast]") {
  const auto before = at::autocast::get_autocast_dtype(at::kCPU);
  {
    const Autocast outer(at::kCPU, at::kHalf);
    {
      const Autocast inner(at::kCPU, at::kBFloat16);
      CHECK(at::autocast::get_autocast_dtype(at::kCPU) == at::kBFloat16);
    }
    CHECK(at::autocast::is_autocast_enabled(at::kCPU));
    CHECK(at::autocast::get_autocast_dtype(at::kCPU) == at::kHalf);
  }
  CHECK_FALSE(at::autocast::is_autocast_enabled(at::kCPU));
  CHECK(at::autocast::get_autocast_dtype(at::kCPU) == before);
}

TEST_CASE("a region that ends by an exception puts back as well", "[autocast]") {
  try {
    const Autocast on(at::kCPU, at::kBFloat16);
    throw std::runtime_error("in the region");
  } catch (const std::runtime_error&) {
  }
  CHECK_FALSE(at::autocast::is_autocast_enabled(at::kCPU));
}

}  // namespace
