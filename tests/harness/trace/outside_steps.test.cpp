// Time that the recorded steps do not show: others hold it, which the recorder timed behind them.
#include "tests/harness/trace/thread_story.hpp"

#include "harness/trace/diagnosis_text.hpp"
#include "harness/trace/judged_spans.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace {

using namespace harness::trace;

/// A recorded step of 0.1 s, and what followed it.
Diagnosis followed_by(const std::optional<Pace>& pace, double held_back = 0) {
  tests::ThreadStory story;
  story.program.known = true;
  story.program.held_back = held_back;
  story.program.pace = pace;
  return story.diagnosis();
}

/// 160 steps of 0.1 s and before each sixteenth one a rollout.
Pace with_rollouts(double rollout_s) {
  return {.steps = 160,
          .seconds = 16 + 10 * rollout_s,
          .long_steps = 10,
          .long_seconds = 10 * (0.1 + rollout_s),
          .apart = 16};
}

std::string said_of(const std::optional<Pace>& pace) { return outside_text(followed_by(pace)); }

TEST_CASE("time that lies outside of steps like the recorded ones is told with the command that records it",
          "[trace][outside_steps]") {
  const auto diagnosis = followed_by(with_rollouts(4.8));
  const std::string sentence =
      "75 % of the run's time lies outside of steps like these (evaluation, rollout, checkpoint); `tuneproof "
      "watch --steps 18` records them";
  CHECK(outside_text(diagnosis) == sentence);
  CHECK(diagnosis_json({&diagnosis, 1})["traces"][0]["outside_steps"] == sentence);
  CHECK(verdict_section(diagnosis, {}).find("75 % of the run's time") != std::string::npos);
}

TEST_CASE("where no further steps were timed nothing is said of them", "[trace][outside_steps]") {
  const auto diagnosis = followed_by({});
  CHECK(outside_text(diagnosis).empty());
  CHECK(diagnosis_json({&diagnosis, 1})["traces"][0]["outside_steps"].is_null());
}

TEST_CASE("a run whose mean step is like the recorded ones has nothing outside of them",
          "[trace][outside_steps]") {
  CHECK(said_of(with_rollouts(0.4)).empty());   // 1.25 times
  CHECK(!said_of(with_rollouts(0.5)).empty());  // 1.31 times
}

TEST_CASE("where other programs had the CPUs long steps may have waited for one", "[trace][outside_steps]") {
  CHECK(!outside_text(followed_by(with_rollouts(4.8), 0.09)).empty());
  CHECK(outside_text(followed_by(with_rollouts(4.8), 0.1)).empty());
}

TEST_CASE("one long step, or longer ones throughout, are no rollouts", "[trace][outside_steps]") {
  CHECK(said_of(Pace{.steps = 20, .seconds = 12, .long_steps = 1, .long_seconds = 10.1, .apart = 9}).empty());
  CHECK(said_of(Pace{.steps = 20, .seconds = 6, .long_steps = 20, .long_seconds = 6, .apart = 1}).empty());
  CHECK(said_of(Pace{.steps = 160, .seconds = 24, .long_steps = 2, .long_seconds = 1, .apart = 60}).empty());
}

TEST_CASE("long steps that are too far from each other for a recording are told without a command",
          "[trace][outside_steps]") {
  auto pace = with_rollouts(4.8);
  pace.apart = 198;
  CHECK(said_of(pace).find("--steps 200`") != std::string::npos);
  pace.apart = 199;
  CHECK(said_of(pace).ends_with("checkpoint)"));
}

TEST_CASE("without steps the verdict says how much longer the host was recorded than the device worked",
          "[trace][outside_steps]") {
  const auto said = [](double loading_us) {
    return diagnose(tests::trace_of(
                        {tests::op("mine::load", 0, loading_us),
                         tests::call("cudaLaunchKernel", loading_us, 10, 1),
                         tests::on_stream("kernel", "volta_sgemm_64x64_nn", loading_us + 20, 1000, 1)}))
        .verdict.evidence;
  };
  CHECK(said(2500).ends_with(
      "; the host was recorded for 2.51 ms: what it did before and after the device's work "
      "is not judged"));
  CHECK(said(900).find("recorded for") == std::string::npos);
}

TEST_CASE("what followed is read from its note, and nonsense is nothing", "[trace][outside_steps]") {
  const auto read =
      pace(R"({"steps": 40, "seconds": 2.5, "long": {"steps": 3, "seconds": 1.5, "apart": 16}})");
  REQUIRE(read);
  CHECK(read->steps == 40);
  CHECK(read->seconds == 2.5);
  CHECK(read->long_steps == 3);
  CHECK(read->long_seconds == 1.5);
  CHECK(read->apart == 16);
  CHECK(pace(R"({"steps": 40, "seconds": 2.5})")->long_steps == 0);
  for (const auto* text : {"", "[]", "{", R"({"steps": 0})", R"({"steps": "x", "long": 3})"})
    CHECK_FALSE(pace(text));
}

}  // namespace
