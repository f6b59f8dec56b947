// A verdict over few steps may rest on one of them.
#include "tests/harness/trace/story.hpp"

#include "harness/trace/diagnosis_text.hpp"
#include "harness/trace/judged_spans.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>

namespace {

using namespace harness::trace;
using tests::Story;

/// Steps of 10 ms of products, each after so many milliseconds of waiting for input.
Diagnosis waited(std::initializer_list<double> waits_ms) {
  Story story;
  for (const double wait : waits_ms)
    story.step([&] {
      if (wait > 0) story.load(wait * 1000);
      story.kernels(tests::gemm, 1, 10'000);
      story.host = story.device;
    });
  return diagnose(story.trace());
}

TEST_CASE("a slow step without which the verdict would be another is named", "[trace][deciding_step]") {
  const auto diagnosis = waited({0, 0, 60, 0, 0});
  REQUIRE(diagnosis.judged_steps == 3);
  CHECK(diagnosis.verdict.regime == Regime::input);
  const auto* step = deciding_step(diagnosis);
  REQUIRE(step != nullptr);
  CHECK(step->name == "ProfilerStep#3");
  CHECK(step->without == Regime::compute);
  const auto text = diagnosis_text(diagnosis, {}, {});
  CHECK(text.find("without ProfilerStep#3 (70.0 ms; the median step takes 10.0 ms)") != std::string::npos);
  const auto json = diagnosis_json({&diagnosis, 1});
  CHECK(json["steps"][2]["verdict_without"] == "compute-bound");
  CHECK(json["steps"][1]["verdict_without"].is_null());
}

TEST_CASE("a slow step that changes no verdict is not named", "[trace][deciding_step]") {
  for (const auto& diagnosis : {waited({0, 0, 5, 0, 0}), waited({0, 60, 70, 60, 0})}) {
    CHECK(deciding_step(diagnosis) == nullptr);
    CHECK(deciding_step_text(diagnosis).empty());
  }
}

TEST_CASE("a step that takes as long as the median one decides nothing", "[trace][deciding_step]") {
  const auto balanced = waited({0, 8, 10.5, 14, 0});
  REQUIRE(std::ranges::any_of(balanced.steps,
                              [](const StepDiagnosis& step) { return step.without.has_value(); }));
  const auto* step = deciding_step(balanced);
  CHECK((step == nullptr || step->us != step_us(balanced)));
  const auto even = waited({0, 9.6, 10.2, 10.4, 0});
  REQUIRE(std::ranges::any_of(even.steps, [](const StepDiagnosis& one) { return one.without.has_value(); }));
  CHECK(deciding_step(even) == nullptr);
}

TEST_CASE("steps at the edges decide nothing", "[trace][deciding_step]") {
  CHECK(deciding_step(waited({900, 0, 0, 0, 900})) == nullptr);
}

TEST_CASE("of two judged steps none is left out", "[trace][deciding_step]") {
  CHECK(deciding_step(waited({0, 0, 60, 0})) == nullptr);
}

}  // namespace
