#include "harness/core/same_answer.hpp"

#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <memory>

using namespace harness;
using Numbers = std::vector<float>;
using Bytes = std::vector<std::byte>;

namespace {

std::string complaint(const Answer& naive, const Answer& optimized, const Tolerance& tolerance = {}) {
  try {
    require_same(naive, optimized, tolerance);
  } catch (const Disagreement& error) {
    return error.what();
  }
  return "the same";
}

Bytes bytes(std::initializer_list<int> values) {
  Bytes made;
  for (const auto value : values) made.push_back(static_cast<std::byte>(value));
  return made;
}

/// A trial whose forms write a number; `clear` scribbles over it.
Trial writing(std::function<void(float&)> naive, std::function<void(float&)> optimized) {
  const auto cell = std::make_shared<float>(0);
  return {.naive = [=] { naive(*cell); },
          .optimized = [=] { optimized(*cell); },
          .clear = [=] { *cell = -1; },
          .answer = [=](Form) -> Answer { return Numbers{*cell}; }};
}

}  // namespace

TEST_CASE("without a tolerance numbers must agree bit for bit", "[same_answer]") {
  CHECK(complaint(Numbers{1, 2}, Numbers{1, 2}) == "the same");
  CHECK(complaint(Numbers{1, 2}, Numbers{1, 2.0000002F}) ==
        "the sides disagree at number 1 of 2: 2 and 2.000000238418579, 1.2e-07 of the largest; the step "
        "promises equal bits");
  CHECK(complaint(Numbers{0.0F}, Numbers{-0.0F}) != "the same");
}

TEST_CASE("a tolerance is relative to the largest value of the naive form", "[same_answer]") {
  const Tolerance tolerance{0.01, "a reason"};
  CHECK(complaint(Numbers{100, 0}, Numbers{100, 1}, tolerance) == "the same");
  CHECK(complaint(Numbers{100, 0}, Numbers{100, 1.01F}, tolerance) != "the same");
  CHECK(complaint(Numbers{0, 0}, Numbers{0, 1e-9F}, tolerance) != "the same");
}

TEST_CASE("numbers that are not finite never agree", "[same_answer]") {
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  const auto infinite = std::numeric_limits<float>::infinity();
  for (const auto bad : {nan, infinite}) {
    CHECK(complaint(Numbers{bad}, Numbers{bad}).starts_with("number 0 is not finite"));
    CHECK(complaint(Numbers{1}, Numbers{bad}, {0.5, "a reason"}).starts_with("number 0 is not finite"));
  }
}

TEST_CASE("bytes must be equal, whatever the tolerance", "[same_answer]") {
  CHECK(complaint(bytes({1, 2}), bytes({1, 2})) == "the same");
  CHECK(complaint(bytes({1, 2}), bytes({1, 3}), {1, "a reason"}) ==
        "the sides disagree at byte 1 of 2: 0x02 and 0x03");
}

TEST_CASE("answers of different lengths or kinds, and empty ones, never agree", "[same_answer]") {
  CHECK(complaint(Numbers{1}, Numbers{1, 2}) == "the sides disagree: 1 numbers and 2 numbers");
  CHECK(complaint(bytes({1}), bytes({1, 2})) == "the sides disagree: 1 bytes and 2 bytes");
  CHECK(complaint(Numbers{1}, bytes({1})) == "the sides disagree: one gave bytes, the other numbers");
  CHECK(complaint(Numbers{}, Numbers{}) == "neither side gave an answer to compare");
  CHECK(complaint(Bytes{}, Bytes{}) == "neither side gave an answer to compare");
}

TEST_CASE("a form that does nothing is caught, since its answer is cleared first", "[same_answer]") {
  const auto right = [](float& cell) { cell = 5; };
  const auto nothing = [](float&) {};
  const auto no_drain = [] {};
  CHECK_NOTHROW(check_same_answer(writing(right, right), {}, no_drain));
  CHECK_THROWS_AS(check_same_answer(writing(right, nothing), {}, no_drain), Disagreement);
  CHECK_THROWS_AS(check_same_answer(writing(nothing, right), {}, no_drain), Disagreement);
}

TEST_CASE("each form starts cleared, runs as often as its answer needs, and is read when the device is idle",
          "[same_answer]") {
  std::vector<std::string> diary;
  const auto note = [&](std::string what) { return [&diary, what] { diary.push_back(what); }; };
  const Trial trial{
      .naive = note("naive"),
      .optimized = note("optimized"),
      .clear = note("clear"),
      .answer = [&](Form form) -> Answer {
        diary.push_back("answer " + std::string(to_string(form)));
        return Numbers{1};
      },
      .answer_runs = 2,
      .before_slot = [&](Form form) { diary.push_back("before " + std::string(to_string(form))); }};
  check_same_answer(trial, {}, note("drain"));
  CHECK(diary == std::vector<std::string>{"clear", "drain", "before naive", "naive", "naive", "drain",
                                          "answer naive", "clear", "drain", "before optimized", "optimized",
                                          "optimized", "drain", "answer optimized"});
}

TEST_CASE("a lesson in correctness counts how often the naive form was wrong", "[same_answer]") {
  int run = 0;
  auto trial =
      writing([&](float& cell) { cell = ++run % 2 == 0 ? 7.0F : 8.0F; }, [](float& cell) { cell = 7; });
  trial.truth = []() -> Answer { return Numbers{7}; };
  WrongAnswers wrong;
  count_wrong(trial, {}, [] {}, wrong);
  CHECK(wrong.tries == 10);
  CHECK(wrong.naive == 5);
  const auto figure = figure_of(wrong);
  CHECK(figure.name == "wrong answers of 10");
  CHECK(figure.naive == 5);
  CHECK(figure.optimized == 0);
}

TEST_CASE("a cure that is wrong once is not a cure", "[same_answer]") {
  int run = 0;
  auto trial = writing([](float& cell) { cell = 7; }, [&](float& cell) { cell = ++run == 10 ? 8.0F : 7.0F; });
  trial.truth = []() -> Answer { return Numbers{7}; };
  WrongAnswers wrong;
  CHECK_THROWS_AS(count_wrong(trial, {}, [] {}, wrong), Disagreement);
}
