#include "harness/cuda/device.hpp"

#include "tests/gpu/require_device.hpp"

#include "harness/cuda/check.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;

TEST_CASE("a device that the machine lacks is named beside those that it has", "[gpu][device]") {
  require_device();
  const auto first = probe_device(0, "others");
  INFO(first.message);
  REQUIRE(first.status == "ok");
  const auto count = first.count;
  const auto last = std::to_string(count - 1);
  const auto have =
      count == 1 ? "one device, cuda:0" : std::to_string(count) + " devices, cuda:0 to cuda:" + last;
  const auto missing = probe_device(count, "others");
  INFO(missing.message);
  CHECK(missing.status == "no device");
  CHECK(missing.message == "no CUDA device " + std::to_string(count) + ": this machine has " + have);
}

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
