#include "tests/gpu/require_device.hpp"

#include "harness/core/step.hpp"
#include "harness/libtorch/session.hpp"

#include "microbench/steps.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace {

using namespace harness;

TEST_CASE("alone: memory/kern_coalescing is set up", "[.alone]") {
  TorchSession torch(1);
  Setup setup;
  setup.device = {Device::Kind::cuda, 0};
  setup.stream = torch.stream_for(setup.device);
  const auto* step = *std::ranges::find(microbench::steps(), "memory/kern_coalescing", &Step::id);
  step->prepare(setup, points(*step, setup.device).front());  // stride2: 64 MiB on 128
}

/// Bytes of all copies in a record of the stand-in: process, kind, bytes, ... in each line.
std::size_t copied_bytes(const std::string& record) {
  std::ifstream lines(record);
  std::size_t sum = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string process, kind;
    std::size_t bytes = 0;
    words >> process >> kind >> bytes;
    if (kind == "memcpy") sum += bytes;
  }
  return sum;
}

TEST_CASE("of the values that memory/kern_coalescing spreads, those that are read alone go over the link",
          "[gpu][memory]") {
  if (has_times(require_device())) SKIP("needs the stand-in, which records copies");
  const auto record = "/tmp/copies." + std::to_string(getpid());
  const auto program = std::filesystem::read_symlink("/proc/self/exe").string();
  const auto command =
      "STAND_IN_RECORD=" + record + " '" + program + "' 'alone: memory/kern_coalescing is set up'";
  const auto ended = pclose(popen(command.c_str(), "w"));
  const auto bytes = copied_bytes(record);
  unlink(record.c_str());
  CHECK(ended == 0);
  CHECK(bytes == std::size_t{64} << 20);
}

}  // namespace
