#include "harness/machine/device_model.hpp"

#include "tests/folder.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/field.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

namespace {

using namespace harness;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;
using tests::Folder;

constexpr double gib = 1024.0 * 1024 * 1024;

struct Named {
  const char* name;
  double memory_gib;
  const char* model;
  double rate;  // GB/s
  double fp16;  // TFLOP/s
};

TEST_CASE("a device is recognised by the driver's name for it, and its peaks and their source are known",
          "[machine]") {
  const auto device = GENERATE(values<Named>(
      {{"Tesla V100-SXM2-32GB", 32, "V100 (SXM2)", 900, 125},
       {"Tesla V100-PCIE-16GB", 16, "V100 (PCIe)", 900, 112},
       {"NVIDIA A100-PG509-200", 39, "A100 40 GB (SXM4)", 1555, 312},
       {"NVIDIA A100-PCIE-40GB", 39, "A100 40 GB (SXM4)", 1555, 312},
       {"NVIDIA A100-SXM4-80GB", 79, "A100 80 GB (SXM4)", 2039, 312},
       {"NVIDIA A100 80GB PCIe", 79, "A100 80 GB (PCIe)", 1935, 312},
       {"NVIDIA A10", 22, "A10", 600, 125},
       {"NVIDIA A10G", 22, "A10G", 600, 70},
       {"NVIDIA A40", 44, "A40", 696, 149.7},
       {"NVIDIA H100 80GB HBM3", 79, "H100 (SXM5)", 3350, 989.5},
       {"NVIDIA H100 PCIe", 79, "H100 (PCIe)", 2000, 756},
       {"NVIDIA H100 NVL", 93, "H100 (NVL)", 3900, 835.5},
       {"NVIDIA H800", 79, "H800 (SXM)", 3350, 989.5},
       {"NVIDIA H800 PCIe", 79, "H800 (PCIe)", 2000, 756},
       {"NVIDIA H20", 95, "H20", 4000, 148},
       {"NVIDIA H200", 140, "H200 (SXM)", 4800, 989.5},
       {"NVIDIA H200 NVL", 140, "H200 (NVL)", 4800, 835.5},
       {"NVIDIA GH200 480GB", 95, "GH200 (96 GB)", 4000, 989.5},
       {"NVIDIA GH200 144G HBM3e", 140, "GH200 (144 GB)", 4900, 989.5},
       {"NVIDIA B200", 178, "B200", 8000, 2250},
       {"NVIDIA GB200", 184, "GB200", 8000, 2500},
       {"NVIDIA B300 SXM6 AC", 268, "B300", 8000, 2250},
       {"Tesla T4", 15, "T4", 320, 65},
       {"NVIDIA L4", 22, "L4", 300, 121},
       {"NVIDIA L40S", 44, "L40S", 864, 362.05},
       {"NVIDIA A30", 24, "A30", 933, 165},
       {"NVIDIA GeForce RTX 3090", 24, "RTX 3090", 936, 71},
       {"NVIDIA GeForce RTX 4090", 24, "RTX 4090", 1008, 165.2},
       {"NVIDIA GeForce RTX 5090", 32, "RTX 5090", 1792, 209.5},
       {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 95, "RTX PRO 6000 (Workstation)", 1792, 503.8},
       {"AMD Instinct MI300X", 192, "MI300X", 5300, 1307.4}}));
  INFO(device.name);
  const auto found = device_model({.name = device.name, .memory_bytes = device.memory_gib * gib});
  REQUIRE(found);
  CHECK(found->name == device.model);
  CHECK(found->bandwidth_gb_s == device.rate);
  CHECK(found->fp16_tflops == device.fp16);
  CHECK(found->fp16_tflops > found->fp32_tflops);
  CHECK((found->tf32_tflops == 0) == (found->bf16_tflops == 0));  // both came with Ampere
  CHECK_THAT(found->source, ContainsSubstring("NVIDIA") || ContainsSubstring("AMD"));
}

TEST_CASE("other devices are not taken for one with a sheet", "[machine]") {
  const auto* const name = GENERATE("AMD Radeon Graphics", "NVIDIA L40", "NVIDIA GeForce RTX 3090 Ti",
                                    "NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 5090 D",
                                    "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition",
                                    "NVIDIA RTX PRO 6000 Blackwell Server Edition", "ARTEMIS", "");
  INFO(name);
  CHECK_FALSE(device_model({.name = name, .memory_bytes = 24 * gib}));
}

TEST_CASE("a device with another memory than the sheet's is another one", "[machine]") {
  CHECK_FALSE(device_model({.name = "NVIDIA H20-3e", .memory_bytes = 140 * gib}));
}

TEST_CASE("a slice of a GPU has its share of the peaks", "[machine]") {
  struct Shared {
    const char* name;
    int multiprocessors;
    double rate, fp32;
  };
  const auto slice = GENERATE(values<Shared>({
      {"NVIDIA A100-SXM4-80GB MIG 1g.10gb", 14, 2039.0 / 8, 19.5 * 14 / 108},
      {"NVIDIA A100-SXM4-80GB MIG 3g.40gb", 42, 2039.0 / 2, 19.5 * 42 / 108},
      {"NVIDIA A100-SXM4-80GB MIG 1c.3g.40gb", 14, 2039.0 / 2, 19.5 * 14 / 108},
      {"NVIDIA A100-SXM4-40GB MIG 1g.5gb", 14, 1555.0 / 8, 19.5 * 14 / 108},
      {"NVIDIA A100-SXM4-40GB MIG 1g.10gb", 14, 1555.0 / 4, 19.5 * 14 / 108},
      {"NVIDIA A100-SXM4-80GB MIG 1g.20gb", 14, 2039.0 / 4, 19.5 * 14 / 108},
      {"NVIDIA H100 80GB HBM3 MIG 1g.10gb+me", 16, 3350.0 / 8, 67.0 * 16 / 132},
      {"NVIDIA GH200 480GB MIG 1g.12gb", 16, 4000.0 / 8, 67.0 * 16 / 132},
      {"NVIDIA GH200 480GB MIG 1g.24gb", 16, 4000.0 / 4, 67.0 * 16 / 132},
      {"NVIDIA GH200 144G HBM3e MIG 1g.18gb", 16, 4900.0 / 8, 67.0 * 16 / 132},
      {"NVIDIA B200 MIG 1g.23gb", 18, 8000.0 / 8, 75.0 * 18 / 148},
      {"NVIDIA H200 MIG 1g.18gb", 16, 4800.0 / 8, 67.0 * 16 / 132},
      {"NVIDIA H200 MIG 7g.141gb", 132, 4800, 67},
      {"NVIDIA A30 MIG 1g.6gb", 14, 933.0 / 4, 10.3 * 14 / 56},
  }));
  INFO(slice.name);
  const auto found =
      device_model({.name = slice.name, .multiprocessors = slice.multiprocessors, .memory_bytes = gib});
  REQUIRE(found);
  CHECK_THAT(found->name, ContainsSubstring(", MIG "));
  CHECK_THAT(found->bandwidth_gb_s, WithinRel(slice.rate, 1e-9));
  CHECK_THAT(found->fp32_tflops, WithinRel(slice.fp32, 1e-9));
  CHECK_THAT(found->source, ContainsSubstring("share"));
}

const char* const prices = R"({"context": {"gpu": "NVIDIA H200"}, "benchmarks": [
  {"name": "prices/triad/device/bytes:1MiB/manual_time", "run_type": "iteration", "bytes_per_second": 9e12},
  {"name": "prices/triad/device/bytes:512MiB/manual_time", "run_type": "iteration", "bytes_per_second": 4e12},
  {"name": "prices/product/device/fp32/n:4096/manual_time", "run_type": "iteration", "FLOP/s": 51e12},
  {"name": "prices/product/device/fp32/n:512/manual_time", "run_type": "iteration", "FLOP/s": 20e12}]})";

TEST_CASE("peaks from prices of a busy machine are marked wherever their source is named", "[machine]") {
  const Folder folder;
  for (const auto& [share, marked] : {std::pair{"0.62", true}, {"0.02", false}, {"unknown", false}}) {
    auto text = std::string(prices);
    text.insert(text.find("\"gpu\""), R"("other_cpu_share": ")" + std::string(share) + "\", ");
    folder.write("prices.json", text);
    const auto model = model_from_file(folder.at("prices.json"), {.name = "NVIDIA H200"});
    CHECK((model.source.find("(do not trust it: other programs took 62 % of the CPUs meanwhile)") !=
           std::string::npos) == marked);
  }
}

TEST_CASE("measured prices go before the sheet, and the source says so", "[machine]") {
  const Folder folder;
  const auto file = folder.at("prices.json");
  folder.write("prices.json", prices);
  const auto model = model_from_file(file, {.name = "NVIDIA H200", .memory_bytes = 140 * gib});
  CHECK(model.bandwidth_gb_s == 4000);  // of the largest arrays: the cache holds the others
  CHECK(model.fp32_tflops == 51);
  CHECK(model.fp16_tflops == 989.5);  // the file lacks it
  CHECK_THAT(model.source,
             ContainsSubstring("measured: " + file) && ContainsSubstring("NVIDIA H200 product page"));
}

TEST_CASE("prices of another GPU are refused", "[machine]") {
  const Folder folder;
  folder.write("prices.json", prices);
  CHECK_THROWS_WITH(model_from_file(folder.at("prices.json"), {.name = "NVIDIA A30"}),
                    ContainsSubstring("are of NVIDIA H200, the trace is of NVIDIA A30"));
}

TEST_CASE("a sheet of one's own gives the peaks of a device without one", "[machine]") {
  const Folder folder;
  folder.write("mine.json", R"({"title": "Mine", "memory_rate": [100, "me"], "fp32": [5, "me"]})");
  const auto model = model_from_file(folder.at("mine.json"), {.name = "NVIDIA Mine"});
  CHECK(model.name == "Mine");
  CHECK(model.bandwidth_gb_s == 100);
  CHECK(model.fp32_tflops == 5);
}

TEST_CASE("a file without peaks is refused by name, of a device with a sheet, too", "[machine]") {
  const Folder folder;
  const auto device = GENERATE("NVIDIA None", "NVIDIA B200");
  folder.write("none.json", R"({"title": "None", "memory_rates": [100, "me"]})");
  CHECK_THROWS_WITH(model_from_file(folder.at("none.json"), {.name = device}),
                    ContainsSubstring("none.json: has none of memory_rate, fp32, tf32 and fp16"));
}

TEST_CASE("a device without a sheet needs the rate of its memory and of FP32", "[machine]") {
  const Folder folder;
  folder.write("half.json", R"({"title": "Half", "fp32": [5, "me"]})");
  CHECK_THROWS_WITH(model_from_file(folder.at("half.json"), {.name = "NVIDIA Half"}),
                    ContainsSubstring("half.json: peaks need memory_rate and fp32"));
}

TEST_CASE("a value of a sheet that is no list of two is refused with its place", "[machine]") {
  const Folder folder;
  folder.write("mine.json",
               R"({"title": "Mine", "memory_rate": [100, "me"], "fp32": [5, "me"], "link_generation": []})");
  CHECK_THROWS_WITH(model_from_file(folder.at("mine.json"), {.name = "NVIDIA Mine"}),
                    ContainsSubstring("mine.json.link_generation: expected [value, source]"));
}

TEST_CASE("every value of gpus.json names a source that is listed, and every source is named", "[machine]") {
  const auto book = parse_json(gpus_json(), "gpus.json");
  std::string named;
  for (const auto& sheet : book["gpus"])
    for (const auto& value : sheet)
      if (value.is_array()) {
        CHECK(book["sources"].contains(value[1].get<std::string>()));
        named += "|" + value[1].get<std::string>() + "|";
      }
  for (const auto& [source, text] : book["sources"].items())
    CHECK_THAT(named, ContainsSubstring("|" + source + "|"));
}

}  // namespace
