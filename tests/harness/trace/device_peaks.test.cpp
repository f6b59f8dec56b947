#include "harness/trace/device_peaks.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace {

using namespace harness;
using namespace harness::trace;
using Catch::Matchers::WithinRel;

constexpr std::int64_t gib = std::int64_t{1} << 30;

DeviceProperties named(const char* name, std::int64_t memory = 16 * gib) {
  DeviceProperties properties;
  properties.name = name;
  properties.memory_bytes = memory;
  return properties;
}

TEST_CASE("a device is recognised by the driver's name for it", "[trace][devices]") {
  const auto [name, memory, model] = GENERATE(
      table<const char*, std::int64_t, const char*>({{"Tesla V100-SXM2-32GB", 32 * gib, "V100 SXM2"},
                                                     {"Tesla V100-PCIE-16GB", 16 * gib, "V100 PCIe"},
                                                     {"NVIDIA A100-PG509-200", 39 * gib, "A100 40GB"},
                                                     {"NVIDIA A100-SXM4-80GB", 79 * gib, "A100 80GB SXM"},
                                                     {"NVIDIA A100 80GB PCIe", 79 * gib, "A100 80GB PCIe"},
                                                     {"NVIDIA A10", 22 * gib, "A10"},
                                                     {"NVIDIA H100 80GB HBM3", 79 * gib, "H100 SXM"},
                                                     {"NVIDIA H100 PCIe", 79 * gib, "H100 PCIe"},
                                                     {"NVIDIA H200", 140 * gib, "H200 SXM"},
                                                     {"Tesla T4", 15 * gib, "T4"},
                                                     {"NVIDIA L4", 22 * gib, "L4"},
                                                     {"NVIDIA A30", 24 * gib, "A30"},
                                                     {"NVIDIA GeForce RTX 3090", 24 * gib, "RTX 3090"},
                                                     {"NVIDIA GeForce RTX 4090", 24 * gib, "RTX 4090"}}));
  INFO(name);
  const auto* found = device_model(named(name, memory));
  REQUIRE(found != nullptr);
  CHECK(found->name == model);
  CHECK(found->source.starts_with("https://"));
  CHECK(found->fp16_tflops > found->fp32_tflops);
}

TEST_CASE("other devices are not taken for one of the table", "[trace][devices]") {
  const auto* const name = GENERATE("AMD Radeon Graphics", "NVIDIA L40S", "NVIDIA GeForce RTX 3090 Ti",
                                    "NVIDIA GeForce RTX 4090 Laptop GPU", "ARTEMIS", "");
  INFO(name);
  CHECK(device_model(named(name)) == nullptr);
}

TEST_CASE("the balance of an A100 is the published one", "[trace][devices]") {
  const auto* model = device_model(named("NVIDIA A100-SXM4-80GB", 79 * gib));
  CHECK_THAT(balance(*model, Arithmetic::fp16), WithinRel(153.0, 0.01));  // 312 TFLOP/s over 2,039 GB/s
  CHECK(balance(*model, Arithmetic::unknown) == 0);
}

}  // namespace
