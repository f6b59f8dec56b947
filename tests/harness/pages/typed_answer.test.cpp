#include "harness/pages/typed_answer.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace harness;
using namespace harness::pages;

TEST_CASE("a choice is meant by its words, its beginning or its number", "[learn]") {
  const std::vector<std::string> choices{"helps", "no effect", "hurts"};
  CHECK(chosen_of(" No  Effect \r", choices) == "no effect");
  CHECK(chosen_of("2", choices) == "no effect");
  CHECK(chosen_of("hu", choices) == "hurts");
  CHECK_FALSE(chosen_of("h", choices));
  CHECK_FALSE(chosen_of("", choices));
  CHECK_FALSE(chosen_of("4", choices));
  CHECK_FALSE(chosen_of("perhaps", choices));
  CHECK_FALSE(chosen_of("not hurts", choices));
}

TEST_CASE("a number is above 0 and may have x or times", "[learn]") {
  CHECK(typed_number("1.5") == 1.5);
  CHECK(typed_number(" 12 x") == 12);
  CHECK_FALSE(typed_number("80%"));
  CHECK(typed_number("3 times") == 3);
  CHECK_FALSE(typed_number("0"));
  CHECK_FALSE(typed_number("-2"));
  CHECK_FALSE(typed_number("3 ms"));
  CHECK_FALSE(typed_number("nan"));
  CHECK_FALSE(typed_number("inf"));
  CHECK_FALSE(typed_number("many"));
}

TEST_CASE("a comma is a point, or groups three digits", "[learn]") {
  CHECK(typed_number("81,3") == 81.3);
  CHECK(typed_number("10,000") == 10000);
  CHECK(typed_number("1,234,567") == 1234567);
  CHECK(typed_number("0,125 x") == 0.125);
  CHECK(typed_seconds("1,5 ms") == 1.5 * 1e-3);
}

TEST_CASE("a choice is meant by some of its words, and one that names two is asked back", "[learn]") {
  const std::vector<std::string> regimes{"input-bound", "compute-bound", "memory-bound",
                                         "overhead/sync-bound"};
  for (const auto* typed : {"memory bound", "Memory-Bound", "memory"})
    CHECK(chosen_of(typed, regimes) == "memory-bound");
  for (const auto* typed : {"overhead", "overhead-bound", "overhead/sync bound", "sync"})
    CHECK(chosen_of(typed, regimes) == "overhead/sync-bound");
  for (const auto* typed : {"bound", "about 2 times", "memory and compute", "starved"})
    CHECK_FALSE(chosen_of(typed, regimes));
  CHECK(chosen_of("too l", {"too little", "agrees", "too much"}) == "too little");
  CHECK_FALSE(chosen_of("too", {"too little", "agrees", "too much"}));
  const CourseUnit unit{.check = AnswerCheck::regime, .answers = regimes};
  for (const auto* typed : {"GPU-bound", "gpu bound", "gpu"}) {
    CHECK_FALSE(is_answer(unit, typed));
    CHECK(asked_back(unit, typed) == "Compute-bound or memory-bound? ");
  }
  CHECK(asked_back(unit, "cpu-bound").starts_with("Which kind: "));
  CHECK(asked_back(unit, "memory").empty());
}

TEST_CASE("what counts as an answer is told in full", "[learn]") {
  CHECK(accepted_answers({.check = AnswerCheck::regime, .answers = {"input-bound", "memory-bound"}}) ==
        "This asks for input-bound or memory-bound: in full, by some of its words, or by its number from 1 "
        "on.");
  for (const auto check : {AnswerCheck::factor, AnswerCheck::share, AnswerCheck::price, AnswerCheck::top})
    CHECK(accepted_answers({.check = check, .count = 3, .range = "1 to 9"})
              .find(check == AnswerCheck::top ? "3 names" : "1 to 9") != std::string::npos);
}

TEST_CASE("a number with another unit than the question's is no answer", "[learn]") {
  const CourseUnit share{.check = AnswerCheck::share, .least = 1, .most = 100};
  CHECK(is_answer(share, "about 2 %"));
  CHECK(is_answer(share, "2 percent"));
  CHECK_FALSE(is_answer(share, "about 2 times"));
  const CourseUnit factor{
      .ask = "How many times as fast?\n", .check = AnswerCheck::factor, .least = 1, .most = 100};
  for (const auto* typed : {"about 2 times", "2x", "2 x faster", "2 times as fast", "2-fold", "two"})
    CHECK(is_answer(factor, typed));
  for (const auto* typed : {"2 %", "2 times slower", "2 ms"}) CHECK_FALSE(is_answer(factor, typed));
}

TEST_CASE("words that the report does not have are no names, whatever their number", "[learn]") {
  const CourseUnit unit{.check = AnswerCheck::top, .count = 3};
  const Truth truth{.known = {"aten::mm", "aten::add_", "aten::relu", "sgemm"}};
  CHECK(is_answer(unit, "mm add_ sgemm", truth));
  CHECK_FALSE(is_answer(unit, "about 2 times", truth));
  CHECK(asked_back(unit, "about 2 times", truth) == "The report has no 'about'. ");
  CHECK(asked_back(unit, "mm add_ relu", truth).empty());
}

TEST_CASE("a number may be a word, and about", "[learn]") {
  CHECK(typed_number("four") == 4);
  CHECK(typed_number("Four times") == 4);
  CHECK(typed_number("about 3 times as fast", {.ask = "How fast?\n"}) == 3);
  CHECK(typed_number("~ 80 percent", {.check = AnswerCheck::share}) == 80);
  CHECK(typed_seconds("about 40 us") == 40 * 1e-6);
  CHECK(typed_seconds("~40 us") == 40 * 1e-6);
  CHECK_FALSE(typed_number("fourteen"));
  CHECK_FALSE(typed_number("about"));
}

TEST_CASE("a time has a unit", "[learn]") {
  CHECK(typed_seconds("50 us") == 50 * 1e-6);
  CHECK(typed_seconds("0.05ms") == 0.05 * 1e-3);
  CHECK(typed_seconds("2 S") == 2);
  CHECK_FALSE(typed_seconds("50"));
  CHECK_FALSE(typed_seconds("50 m"));
}

TEST_CASE("words stand between commas or blanks and count once", "[learn]") {
  CHECK(typed_words("aten::mm, Aten::Add aten::mm,") == std::vector<std::string>{"aten::mm", "aten::add"});
  CHECK(typed_words(" ").empty());
}

TEST_CASE("a factor counts in both directions", "[learn]") {
  CHECK(within(2, 4, 2));
  CHECK(within(4, 2, 2));
  CHECK_FALSE(within(2, 4.1, 2));
  CHECK_FALSE(within(0, 1, 2));
}
