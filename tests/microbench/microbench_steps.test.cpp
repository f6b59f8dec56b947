#include "microbench/microbench_steps.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/interfaces/catch_interfaces_registry_hub.hpp>
#include <catch2/interfaces/catch_interfaces_testcase.hpp>

#include "sameness.hpp"
#include <algorithm>
#include <set>
#include <string>

namespace {

using namespace harness;

/// The names under which Catch2 knows its tests.
std::set<std::string> registered() {
  std::set<std::string> names;
  for (const auto* info : Catch::getRegistryHub().getTestCaseRegistry().getAllInfos())
    names.insert(info->name);
  return names;
}

TEST_CASE("no step is without a test that its two forms give the same answer, wherever it has rows",
          "[steps]") {
  const auto tests = registered();
  const Device cuda{Device::Kind::cuda, 0};
  for (const auto* step : microbench::steps()) {
    INFO(step->id);
    const bool host = tests.contains(sameness::name_of({step, {}}));
    const bool device = tests.contains(sameness::name_of({step, cuda}));
    CHECK((host || device));
    CHECK(host == (step->runs != Runs::cuda));
    CHECK(device == (step->runs != Runs::host));
  }
}

TEST_CASE("no two steps share an id", "[steps]") {
  std::set<std::string_view> seen;
  for (const auto* step : microbench::steps()) {
    INFO(step->id);
    CHECK(seen.insert(step->id).second);
  }
}

TEST_CASE("on each device that a step runs on it has a quick row", "[steps]") {
  const Device cuda{Device::Kind::cuda, 0};
  for (const auto* step : microbench::steps())
    for (const auto& device : {Device{}, cuda}) {
      if (step->runs == (device.is_cuda() ? Runs::host : Runs::cuda)) continue;
      INFO(step->id << (device.is_cuda() ? " on CUDA" : " on the CPU"));
      CHECK(std::ranges::any_of(points(*step, device), &Point::quick));
    }
}

}  // namespace
