#include "tests/gpu/require_device.hpp"
#include "tests/gpu/stand_in_record.hpp"

#include "harness/core/step.hpp"
#include "harness/libtorch/torch_runtime.hpp"

#include "microbench/microbench_steps.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>

namespace {

using namespace harness;

TEST_CASE("alone: memory/kern_coalescing is set up", "[.alone]") {
  TorchRuntime torch(1);
  Setup setup;
  setup.device = {Device::Kind::cuda, 0};
  setup.stream = torch.stream_for(setup.device);
  const auto* step = *std::ranges::find(microbench::steps(), "memory/kern_coalescing", &Step::id);
  step->prepare(setup, points(*step, setup.device).front());  // stride2: 64 MiB on 128
}

std::size_t copied_bytes(const StandInRecord& record) {
  std::size_t sum = 0;
  for (const auto& command : record.commands())
    if (command.kind == "memcpy") sum += command.bytes;
  return sum;
}

TEST_CASE("of the values that memory/kern_coalescing spreads, those that are read alone go over the link",
          "[gpu][memory]") {
  if (has_times(require_device())) SKIP("needs the stand-in, which records copies");
  const StandInRecord record;
  const auto program = std::filesystem::read_symlink("/proc/self/exe").string();
  const auto command = record.variable() + " '" + program + "' 'alone: memory/kern_coalescing is set up'";
  const auto ended = pclose(popen(command.c_str(), "w"));
  const auto bytes = copied_bytes(record);
  CHECK(ended == 0);
  CHECK(bytes == std::size_t{64} << 20);
}

}  // namespace
