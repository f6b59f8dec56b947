#include "harness/core/verdict.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <vector>

using namespace harness;

namespace {

const Rule three{.looks = {14, 28, 56}};

std::vector<double> units(std::size_t n, double value) { return std::vector<double>(n, value); }

}  // namespace

TEST_CASE("only the units of the last complete look count", "[looks]") {
  CHECK(counting_units(13, three) == 13);
  CHECK(counting_units(14, three) == 14);
  CHECK(counting_units(27, three) == 14);
  CHECK(counting_units(28, three) == 28);
  CHECK(counting_units(55, three) == 28);
  CHECK(counting_units(56, three) == 56);
}

TEST_CASE("units taken after the last look, before time was up, change nothing", "[looks]") {
  auto values = units(14, 0.02);
  const auto at_look = judge(values, three);
  values.resize(20, 5.0);
  const auto stopped = judge(values, three);
  CHECK(stopped.ratio == at_look.ratio);
  CHECK(stopped.ratio_interval == at_look.ratio_interval);
  CHECK(stopped.verdict == at_look.verdict);
}

TEST_CASE("the three looks keep their error together below half a per cent", "[looks]") {
  double sum = 0;
  for (const auto look : three.looks)
    sum += judge(units(static_cast<std::size_t>(look), 0), three).alpha_actual;
  CHECK(sum == Catch::Approx(0.0018311 + 0.0009120 + 0.0018296).epsilon(0.01));
  CHECK(sum < 0.005);
}
