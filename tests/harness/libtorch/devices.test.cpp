#include "tests/gpu/require_device.hpp"
#include "tests/gpu/stand_in.hpp"

#include "harness/core/setup.hpp"
#include "harness/libtorch/place.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace {

using namespace harness;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

constexpr Device first{Device::Kind::cuda, 0};

TEST_CASE("the host has room for any number of ranks", "[ranks]") { CHECK_NOTHROW(require_devices({}, 64)); }

TEST_CASE("each rank needs a device of its own", "[ranks][gpu]") {
  require_device();
  CHECK_THROWS_MATCHES(
      require_devices(first, 1000), Skip,
      MessageMatches(ContainsSubstring("needs 1000 CUDA devices from cuda:0 on, one for each rank")));
}

TEST_CASE("NCCL does not run on the stand-in, and the row says so", "[ranks][gpu]") {
  require_device();
  if (!on_stand_in()) SKIP("a real device");
  CHECK_THROWS_MATCHES(require_devices(first, 1), Skip,
                       MessageMatches(ContainsSubstring("NCCL cannot run on the stand-in")));
}

}  // namespace
