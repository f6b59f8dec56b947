#include "harness/pages/truth.hpp"

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
}

TEST_CASE("a number is above 0 and may have x, times or %", "[learn]") {
  CHECK(typed_number("1.5") == 1.5);
  CHECK(typed_number(" 12 x") == 12);
  CHECK(typed_number("80%") == 80);
  CHECK(typed_number("3 times") == 3);
  CHECK_FALSE(typed_number("0"));
  CHECK_FALSE(typed_number("-2"));
  CHECK_FALSE(typed_number("3 ms"));
  CHECK_FALSE(typed_number("nan"));
  CHECK_FALSE(typed_number("inf"));
  CHECK_FALSE(typed_number("many"));
}

TEST_CASE("a choice may be called by another name, and one that names two is asked back", "[learn]") {
  const std::vector<std::string> regimes{"input-bound", "compute-bound", "memory-bound",
                                         "overhead/sync-bound"};
  for (const auto* typed : {"DataLoader", "data loading", "starved"})
    CHECK(chosen_of(typed, regimes) == "input-bound");
  for (const auto* typed : {"python overhead", "small operators"})
    CHECK(chosen_of(typed, regimes) == "overhead/sync-bound");
  CHECK(chosen_of("too small", {"too little", "agrees", "too much"}) == "too little");
  CHECK_FALSE(chosen_of("starved", {"faster", "same", "slower"}));
  const CourseUnit unit{.check = AnswerCheck::regime, .answers = regimes};
  CHECK_FALSE(is_answer(unit, "GPU-bound"));
  CHECK(asked_back(unit, "GPU-bound") == "Compute-bound or memory-bound? ");
  CHECK(asked_back(unit, "cpu-bound").starts_with("Which kind: "));
  CHECK(asked_back(unit, "gpu").empty());
}

TEST_CASE("a number may be a word, and about", "[learn]") {
  CHECK(typed_number("four") == 4);
  CHECK(typed_number("Four times") == 4);
  CHECK(typed_number("about 3 times as fast") == 3);
  CHECK(typed_number("~ 80 percent") == 80);
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
