#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>

using namespace harness;

TEST_CASE("a calibrated number is found once, with the clocks raised before it", "[setup]") {
  Setup setup;
  int raised = 0, found = 0;
  setup.raise_clocks = [&] { ++raised; };
  const auto find = [&] { return ++found, 42; };
  CHECK(setup.calibrated("kernel", find) == 42);
  CHECK(setup.calibrated("kernel", find) == 42);
  CHECK(found == 1);
  CHECK(raised == 1);
  CHECK(setup.calibrations.at("kernel") == 42);
}

TEST_CASE("a round uses the number that the rehearsal found", "[setup]") {
  Setup setup;
  setup.calibrations = {{"kernel", 7}};
  CHECK(setup.calibrated("kernel", []() -> int { throw std::logic_error("measured again"); }) == 7);
}
