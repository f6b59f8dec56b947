#include "harness/machine/nvml.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>

using namespace harness;

namespace {

/// The stand-in lies beside the tests.
std::string fake_library() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libfake_nvml.so").string();
}

}  // namespace

TEST_CASE("a device is watched by the id of its bus", "[clock_events]") {
  CHECK(ClockEvents("0000:00:00.0", fake_library()).now() == 0x4);
}

TEST_CASE("nothing is known of a device that the library does not know, nor without the library",
          "[clock_events]") {
  CHECK_FALSE(ClockEvents("0000:ff:00.0", fake_library()).now());
  CHECK_FALSE(ClockEvents("0000:00:00.0", "libthere-is-no-such-library.so.1").now());
}
