#include "harness/trace/efforts.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace {

using namespace harness;
using namespace harness::trace;
using Catch::Matchers::WithinRel;

TEST_CASE("the balance of an A100 is the published one", "[trace][devices]") {
  DeviceProperties device;
  device.name = "NVIDIA A100-SXM4-80GB";
  device.memory_bytes = std::int64_t{79} << 30;
  const auto model = peaks_of(device);
  REQUIRE(model != nullptr);
  CHECK_THAT(balance(*model, Arithmetic::fp16), WithinRel(153.0, 0.01));  // 312 TFLOP/s over 2,039 GB/s
  CHECK(balance(*model, Arithmetic::unknown) == 0);
}

}  // namespace
