#include "harness/trace/events.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;
using namespace harness::trace;

TEST_CASE("today's categories and those of 2021 mean the same", "[trace]") {
  CHECK(kind_of("cpu_op") == kind_of("Operator"));
  CHECK(kind_of("cuda_runtime") == kind_of("Runtime"));
  CHECK(kind_of("kernel") == kind_of("Kernel"));
  CHECK(kind_of("gpu_memcpy") == kind_of("Memcpy"));
  CHECK(kind_of("gpu_memset") == kind_of("Memset"));
}

TEST_CASE("the runtime calls of other accelerators are runtime calls", "[trace]") {
  CHECK(kind_of("mtia_runtime") == Kind::runtime);
  CHECK(kind_of("xpu_runtime") == Kind::runtime);
  CHECK(kind_of("privateuse1_driver") == Kind::driver);
}

TEST_CASE("an unknown category is other", "[trace]") { CHECK(kind_of("weather") == Kind::other); }

TEST_CASE("the name of a copy tells its direction and the host memory", "[trace]") {
  const CopyRoute up = route_of("Memcpy HtoD (Pageable -> Device)");
  CHECK(up.direction == Direction::host_to_device);
  CHECK(up.host_memory == HostMemory::pageable);
  const CopyRoute down = route_of("Memcpy DtoH (Device -> Pinned)");
  CHECK(down.direction == Direction::device_to_host);
  CHECK(down.host_memory == HostMemory::pinned);
  CHECK(route_of("CopyDeviceToDevice").direction == Direction::device_to_device);
}

TEST_CASE("AMD's copies do not tell the host memory", "[trace]") {
  CHECK(route_of("Memcpy HtoD (Host -> Device)").host_memory == HostMemory::unknown);
}

}  // namespace
