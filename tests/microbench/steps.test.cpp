#include "microbench/steps.hpp"

#include "harness/measure/same_answer.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <set>
#include <string>

namespace {

using namespace harness;

constexpr auto no_drain = [] {};

/// True if the point can be prepared on the host.
bool runs_on_host(const Step& step) { return step.runs != Runs::cuda; }

TEST_CASE("every step that runs on the host gives the same answer both ways", "[steps]") {
  for (const auto* step : microbench::steps()) {
    if (!runs_on_host(*step)) continue;
    for (const auto& point : points(step->axes)) {
      if (!point.quick) continue;
      INFO(row_name(*step, point, {}));
      Setup setup;
      const auto trial = step->prepare(setup, point);
      CHECK_NOTHROW(check_same_answer(trial, step->tolerance, no_drain));
    }
  }
}

TEST_CASE("a form that leaves its work undone is caught", "[steps]") {
  for (const auto* step : microbench::steps()) {
    if (!runs_on_host(*step)) continue;
    INFO(step->id);
    for (const auto broken : {Form::naive, Form::optimized}) {
      Setup setup;
      auto trial = step->prepare(setup, points(step->axes).front());
      (broken == Form::naive ? trial.naive : trial.optimized) = [] {};
      CHECK_THROWS_AS(check_same_answer(trial, step->tolerance, no_drain), Disagreement);
    }
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
