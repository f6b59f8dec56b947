#include "harness/worker/measure_row.hpp"

#include "harness/libtorch/torch_surroundings.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <vector>

namespace harness::worker {
using namespace results;
using namespace run;
namespace {

using Catch::Matchers::ContainsSubstring;

/// A trial whose two forms take about a millisecond and agree.
Trial agreeing() {
  const auto sum = std::make_shared<float>(0.0F);
  const auto work = [sum] {
    volatile float total = 0;
    for (int i = 0; i < 300'000; ++i) total = total + 1.0F;
    *sum = total;
  };
  return {.naive = work,
          .optimized = work,
          .clear = [sum] { *sum = -1; },
          .answer = [sum](Form) -> Answer { return std::vector<float>{*sum}; }};
}

Trial prepare_agreeing(Setup&, const Point&) { return agreeing(); }
Trial prepare_disagreeing(Setup&, const Point&) {
  auto trial = agreeing();
  trial.answer = [](Form form) -> Answer { return std::vector<float>{form == Form::naive ? 1.0F : 2.0F}; };
  return trial;
}
Trial prepare_throwing(Setup&, const Point&) {
  auto trial = agreeing();
  trial.optimized = [] { throw std::runtime_error("the optimized form broke\nsecond line"); };
  return trial;
}
Trial prepare_skipping(Setup&, const Point&) { throw Skip("needs two sockets"); }
Trial prepare_wrong_input(Setup&, const Point&) { throw BadInput("a.csv:3: no number"); }
Trial prepare_event(Setup&, const Point&) {
  auto trial = agreeing();
  trial.timer = Timer::event;
  return trial;
}
Trial prepare_bad_alloc(Setup&, const Point&) { throw std::bad_alloc(); }
Trial prepare_huge(Setup&, const Point&) {
  at::empty({std::int64_t{1} << 50});
  return agreeing();
}
Trial prepare_wrong_shapes(Setup&, const Point&) {
  at::mm(at::zeros({2, 3}), at::zeros({2, 3}));
  return agreeing();
}
Trial prepare_odd(Setup&, const Point&) { throw 7; }

Row measure(Prepare prepare, std::optional<int> round = {}, const Plant& plant = {}) {
  const Step step{.id = "test/step",
                  .claim = "It helps.",
                  .source = {},
                  .runs = Runs::host,
                  .prepare = prepare,
                  .expectation = {}};
  const Task task{.seed = 5, .round = round, .plant = plant};
  Bench bench(task, torch_ground());
  results::Row asked;
  asked.name = "test/step";
  asked.measured.iterations = 3;
  asked.measured.pairs = 2;
  return measure_row({&step, {}, {}}, bench, task, asked, {});
}

TEST_CASE("A rehearsal finds how many runs make a slot, and times no pair", "[measure_row]") {
  const auto row = measure(prepare_agreeing);
  CHECK(row.name == "test/step");
  CHECK(row.reason.empty());
  CHECK(row.stage.empty());
  CHECK(row.measured.iterations > 1);
  CHECK(row.measured.samples.empty());
}

TEST_CASE("A round is one log ratio over its crossed pairs, with what was around it", "[measure_row]") {
  const auto row = measure(prepare_agreeing, 7);
  CHECK(row.reason.empty());
  CHECK(row.measured.iterations == 3);
  CHECK(row.measured.log_ratios.size() == 1);
  CHECK(row.measured.samples.size() == 2 * 8);
  CHECK(row.measured.samples.front().round == 7);
  CHECK(row.measured.setup_seconds.size() == 1);
  CHECK(row.measured.switches.size() == 1);
}

TEST_CASE("Forms that disagree are failed and never timed", "[measure_row]") {
  const auto row = measure(prepare_disagreeing);
  CHECK(row.judged.verdict == Verdict::failed);
  CHECK(row.stage == "answer");
  CHECK_THAT(row.reason, ContainsSubstring("the sides disagree"));
  CHECK(row.measured.samples.empty());
}

TEST_CASE("In an A/A task the optimized form never runs", "[measure_row]") {
  CHECK(measure(prepare_disagreeing, {}, {.same_forms = true}).reason.empty());
  CHECK(measure(prepare_throwing, 0, {.same_forms = true}).reason.empty());
}

TEST_CASE("A planted slowdown reaches the slots of its form", "[measure_row]") {
  const auto row =
      measure(prepare_agreeing, 0, {.slow_optimized = 9});  // ten times as long: no load hides it
  REQUIRE(row.measured.log_ratios.size() == 1);
  CHECK(row.measured.log_ratios[0] > 0);
}

TEST_CASE("What CUDA events time is not slowed from the host", "[measure_row]") {
  const auto row = measure(prepare_event, {}, {.slow_naive = 0.05});
  CHECK(row.judged.verdict == Verdict::skipped);
  CHECK(row.reason == "cannot plant a slowdown into work that CUDA events time");
}

TEST_CASE("An exception fails the row with the first line of its message", "[measure_row]") {
  const auto row = measure(prepare_throwing);
  CHECK(row.judged.verdict == Verdict::failed);
  CHECK(row.stage == "measure");
  CHECK(row.reason == "the optimized form broke");
}

TEST_CASE("A point that cannot run here is skipped with its reason", "[measure_row]") {
  const auto row = measure(prepare_skipping);
  CHECK(row.judged.verdict == Verdict::skipped);
  CHECK(row.stage == "setup");
  CHECK(row.reason == "needs two sockets");
}

TEST_CASE("Wrong input is the user's to hear of, not the row's", "[measure_row]") {
  CHECK_THROWS_AS(measure(prepare_wrong_input), BadInput);
}

TEST_CASE("Memory that is not there skips the row and says how much was needed", "[measure_row]") {
  CHECK(measure(prepare_bad_alloc).judged.verdict == Verdict::skipped);
  const auto row = measure(prepare_huge);
  CHECK(row.judged.verdict == Verdict::skipped);
  CHECK_THAT(row.reason, ContainsSubstring("needs "));
}

TEST_CASE("An error of LibTorch is one line without a stack trace", "[measure_row]") {
  const auto row = measure(prepare_wrong_shapes);
  CHECK(row.judged.verdict == Verdict::failed);
  CHECK_THAT(row.reason, ContainsSubstring("mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"));
  CHECK(row.reason.find('\n') == std::string::npos);
}

TEST_CASE("A step that asks for CUDA events on the host is refused", "[measure_row]") {
  CHECK(measure(prepare_event).reason == "the step requests CUDA events on the host");
}

TEST_CASE("Something thrown that is not an exception costs only the row", "[measure_row]") {
  CHECK(measure(prepare_odd).judged.verdict == Verdict::failed);
}

}  // namespace
}  // namespace harness::worker
