#include "harness/machine/nvml.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace harness;

namespace {

/// The stand-in lies beside the tests.
std::string fake_library() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libfake_nvml.so").string();
}

}  // namespace

TEST_CASE("without the library there is no report and no error", "[nvml]") {
  const auto report = read_nvml("libthere-is-no-such-library.so.1");
  CHECK_FALSE(report.loaded);
  CHECK(report.gpus.empty());
}

TEST_CASE("what the library says of a GPU is read", "[nvml]") {
  const auto report = read_nvml(fake_library());
  REQUIRE(report.loaded);
  CHECK(report.driver == "580.65.06");
  REQUIRE(report.gpus.size() == 2);
  const auto& gpu = report.gpus[0];
  CHECK(gpu.name == "GPU 0");
  CHECK(gpu.sm_mhz == 1410U);
  CHECK(gpu.sm_max_mhz == 1980U);
  CHECK(gpu.memory_mhz == 1593U);
  CHECK(gpu.memory_max_mhz == 2619U);
  CHECK(gpu.power_mw == 75400U);
  CHECK(gpu.power_limit_mw == 700000U);
  CHECK(gpu.temperature_c == 31U);
  CHECK(gpu.link_generation == 1U);
  CHECK(gpu.link_max_generation == 5U);
  CHECK(gpu.card_generation == 6U);
  CHECK(gpu.bus_id == "0000:6a:00.0");
  CHECK(report.confidential);
  CHECK(gpu.link_width == 16U);
  CHECK(gpu.link_max_width == 16U);
  CHECK(gpu.persistence == 1U);
  CHECK(gpu.processes == 3U);  // the call says that no list was given, and how long it would be
  CHECK(gpu.utilization == 42U);
  CHECK(gpu.slowdowns == 0x4ULL);
  CHECK(gpu.ecc == 1U);
}

TEST_CASE("a thread that the library leaves behind takes no signal that ends this program", "[nvml]") {
  read_nvml(fake_library());
  int others = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    if (thread.path().filename() == std::to_string(getpid())) continue;
    ++others;
    std::ifstream status(thread.path() / "status");
    std::uint64_t blocked = 0;
    for (std::string word; status >> word;)
      if (word == "SigBlk:") status >> std::hex >> blocked;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) CHECK((blocked >> (signal - 1) & 1) == 1);
  }
  CHECK(others == 1);
  sigset_t here;
  pthread_sigmask(SIG_BLOCK, nullptr, &here);
  CHECK(sigismember(&here, SIGINT) == 0);
}

TEST_CASE("what the library does not support, or does not have, is not known", "[nvml]") {
  const auto report = read_nvml(fake_library());
  REQUIRE(report.gpus.size() == 2);
  CHECK_FALSE(report.gpus[0].mig);
  CHECK(report.gpus[1].name == "GPU 1");
  CHECK_FALSE(report.gpus[1].sm_mhz);
  CHECK_FALSE(report.gpus[1].processes);
  CHECK_FALSE(report.gpus[1].slowdowns);
  CHECK(report.gpus[1].bus_id.empty());
}
