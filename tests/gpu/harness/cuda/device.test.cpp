#include "harness/cuda/device.hpp"

#include "tests/gpu/require_device.hpp"

#include "harness/cuda/check.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;

TEST_CASE("a device is tried itself, whichever was current", "[gpu][device]") {
  require_device();
  if (probe_device(0, "others").count < 2) SKIP("one device");
  for (const int index : {0, 1}) {
    check(cudaSetDevice(1 - index));
    CHECK(probe_device(index, "others").status == "ok");
    int current = -1;
    check(cudaGetDevice(&current));
    CHECK(current == index);  // where the kernel ran
  }
  check(cudaSetDevice(0));
}

}  // namespace
