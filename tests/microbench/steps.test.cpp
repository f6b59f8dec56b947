#include "microbench/steps.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/interfaces/catch_interfaces_registry_hub.hpp>
#include <catch2/interfaces/catch_interfaces_testcase.hpp>

#include "sameness.hpp"
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

TEST_CASE("no two steps share an id, and each has a quick point", "[steps]") {
  std::set<std::string_view> seen;
  for (const auto* step : microbench::steps()) {
    INFO(step->id);
    CHECK(seen.insert(step->id).second);
    int quick = 0;
    for (const auto& point : points(step->axes)) quick += point.quick ? 1 : 0;
    CHECK(quick > 0);
  }
}

}  // namespace
