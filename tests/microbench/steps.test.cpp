#include "microbench/steps.hpp"

#include "harness/measure/same_answer.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <optional>
#include <set>
#include <string>

namespace {

using namespace harness;

constexpr auto no_drain = [] {};

/// True if the point can be prepared on the host.
bool runs_on_host(const Step& step) { return step.runs != Runs::cuda; }

/// What the rehearsal does with a set.
void check(const Trial& trial, const Step& step) {
  WrongAnswers wrong;
  if (trial.truth)
    count_wrong(trial, step.tolerance, no_drain, wrong);
  else
    check_same_answer(trial, step.tolerance, no_drain);
}

/// The step at its first point that can run on the host; empty where none can.
std::optional<Trial> first_trial(const Step& step, Setup& setup) {
  for (const auto& point : points(step.axes)) {
    try {
      return step.prepare(setup, point);
    } catch (const Skip&) {
      continue;
    }
  }
  return std::nullopt;
}

TEST_CASE("every step that runs on the host gives the same answer both ways, at each of its points",
          "[steps]") {
  for (const auto* step : microbench::steps()) {
    if (!runs_on_host(*step)) continue;
    for (const auto& point : points(step->axes)) {
      INFO(row_name(*step, point, {}));
      Setup setup;
      std::optional<Trial> trial;
      try {
        trial = step->prepare(setup, point);
      } catch (const Skip&) {
        continue;
      }
      CHECK(static_cast<bool>(trial->truth) == step->naive_may_be_wrong);
      CHECK_NOTHROW(check(*trial, *step));
    }
  }
}

TEST_CASE("a form that leaves its work undone is caught", "[steps]") {
  for (const auto* step : microbench::steps()) {
    if (!runs_on_host(*step)) continue;
    INFO(step->id);
    for (const auto broken : {Form::naive, Form::optimized}) {
      Setup setup;
      auto trial = first_trial(*step, setup);
      if (!trial || (trial->truth && broken == Form::naive)) continue;
      (broken == Form::naive ? trial->naive : trial->optimized) = [] {};
      CHECK_THROWS_AS(check(*trial, *step), Disagreement);
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
