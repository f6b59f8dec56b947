// The step in which the program ended: the evaluation after the training lies in it.
#include "tests/harness/trace/story.hpp"

#include "harness/trace/diagnosis.hpp"
#include "harness/trace/diagnosis_text.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace {

using namespace harness::trace;

/// Steps of 10 ms of products, each after so many milliseconds of waiting for input; the program ended in
/// that one.
Diagnosis ended_in(std::int64_t step, std::initializer_list<double> waits_ms,
                   const WindowChoice& choice = {}) {
  tests::Story story;
  for (const double wait : waits_ms)
    story.step([&] {
      if (wait > 0) story.load(wait * 1000);
      story.kernels(tests::gemm, 1, 10'000);
      story.host = story.device;
    });
  auto trace = story.trace();
  trace.program = program_facts(R"({"cut_off": )" + std::to_string(step) + "}");
  return diagnose(trace, {.window = choice});
}

TEST_CASE("the step in which the program ended is not judged beside a whole one", "[trace][cut_off]") {
  for (const auto& diagnosis : {ended_in(2, {0, 60}), ended_in(3, {0, 0, 60})}) {
    CHECK(diagnosis.judged_steps == static_cast<std::int64_t>(diagnosis.steps.size()) - 1);
    CHECK(diagnosis.verdict.regime == Regime::compute);
    CHECK(diagnosis_text(diagnosis, {}, {}).find("the program ended in the last, which is left out") !=
          std::string::npos);
    CHECK(steps_section(diagnosis, {}).find("(cut off)") != std::string::npos);
  }
  CHECK(ended_in(4, {0, 0, 0, 60}).judged_steps == 2);
  CHECK(ended_in(3, {0, 60}).judged_steps == 2);
}

TEST_CASE("the step in which the program ended is judged where there is no other, or it is asked for",
          "[trace][cut_off]") {
  CHECK(ended_in(1, {60}).judged_steps == 1);
  CHECK(ended_in(2, {0, 60}, {.all_steps = true}).judged_steps == 2);
  CHECK(ended_in(2, {0, 60}, {.first_step = 2, .last_step = 2}).judged_steps == 1);
}

TEST_CASE("how slow the first step was is said beside whole steps alone", "[trace][cut_off]") {
  const auto slow_start = [](std::int64_t step, std::initializer_list<double> waits_ms) {
    const auto diagnosis = ended_in(step, waits_ms);
    return std::ranges::count(diagnosis.findings, "warm_up", &Finding::id) > 0;
  };
  CHECK(slow_start(4, {20, 0, 0, 60}));
  CHECK_FALSE(slow_start(3, {20, 10, 0}));  // two whole steps tell no median
  CHECK(slow_start(9, {20, 10, 0}));
}

}  // namespace
