#include "harness/core/setup.hpp"
#include "harness/simulate/gpu.hpp"
#include "harness/support/field.hpp"
#include "harness/support/scratch_folder.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace harness;
using namespace harness::simulate;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

/// A price list with five repetitions of each row, in microseconds.
Json prices(double copied, double touched, double dispatch) {
  Json json{{"context", {{"fingerprint", "a machine"}, {"threads", "2"}, {"date", "2026-11-24"}}},
            {"benchmarks", Json::array()}};
  const auto add = [&](const char* name, double us) {
    for (int i = 0; i < 5; ++i)
      json["benchmarks"].push_back({{"name", name}, {"real_time", us}, {"time_unit", "us"}});
  };
  add("prices/memcpy/bytes:256MiB/real_time", copied);
  add("prices/allocate/malloc_touched/bytes:256MiB/real_time", touched);
  if (dispatch > 0) add("prices/dispatch/host/add/real_time", dispatch);
  return json;
}

TEST_CASE("a price list gives the host its rates and its dispatch", "[simulate]") {
  const ScratchFolder folder(std::filesystem::temp_directory_path());
  const auto file = (folder.path() / "prices.json").string();
  std::ofstream(file) << prices(268435.456 / 10, 268435.456 / 2, 0.5).dump();  // 10 and 2 GB/s
  auto gpu = find_gpu("a30");
  set_host(gpu, file);
  CHECK(gpu["staging_rate"] == Approx(10));
  CHECK(gpu["host_rate"] == Approx(20));
  CHECK(gpu["touch_rate"] == Approx(2));
  CHECK(gpu["operator"] == Approx(0.5));
}

TEST_CASE("a price list without a row is refused by that row's name", "[simulate]") {
  const ScratchFolder folder(std::filesystem::temp_directory_path());
  const auto file = (folder.path() / "prices.json").string();
  std::ofstream(file) << prices(1, 1, 0).dump();
  auto gpu = find_gpu("a30");
  CHECK_THROWS_WITH(set_host(gpu, file), ContainsSubstring("lacks prices/dispatch/host/add;"));
}

TEST_CASE("a price list without any needed row names them all", "[simulate]") {
  const ScratchFolder folder(std::filesystem::temp_directory_path());
  const auto file = (folder.path() / "prices.json").string();
  auto json = prices(1, 1, 1);
  for (auto& row : json["benchmarks"]) row["name"] = "prices/other/real_time";
  std::ofstream(file) << json.dump();
  auto gpu = find_gpu("a30");
  CHECK_THROWS_WITH(set_host(gpu, file),
                    ContainsSubstring("prices/memcpy/bytes:256MiB") &&
                        ContainsSubstring("prices/allocate/malloc_touched/bytes:256MiB") &&
                        ContainsSubstring("prices/dispatch/host/add"));
}

TEST_CASE("a class of hosts is found by its name, and an unknown one is refused", "[simulate]") {
  auto gpu = find_gpu("a30");
  const auto before = gpu["operator"];
  set_host(gpu, "cpp");
  CHECK(gpu["operator"] < before);
  CHECK_THROWS_WITH(set_host(gpu, "cppp"), ContainsSubstring("did you mean 'cpp'"));
}

}  // namespace
