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
  for (const auto* typed : {"GPU-bound", "gpu bound", "gpu"}) {
    CHECK_FALSE(is_answer(unit, typed));
    CHECK(asked_back(unit, typed) == "Compute-bound or memory-bound? ");
  }
  CHECK(asked_back(unit, "cpu-bound").starts_with("Which kind: "));
  CHECK(asked_back(unit, "memory").empty());
}

TEST_CASE("the right name of a cause counts with a hyphen, with a blank and alone", "[learn]") {
  const std::vector<std::string> regimes{"input-bound", "compute-bound", "memory-bound",
                                         "overhead/sync-bound"};
  for (const auto* typed : {"memory bound", "Memory-Bound", "memory", "memory limited", "limited by memory",
                            "bandwidth-bound", "memory bandwidth"})
    CHECK(chosen_of(typed, regimes) == "memory-bound");
  for (const auto* typed : {"input bound", "input", "I/O bound", "data-bound", "starved"})
    CHECK(chosen_of(typed, regimes) == "input-bound");
  for (const auto* typed : {"compute bound", "compute", "limited by arithmetic"})
    CHECK(chosen_of(typed, regimes) == "compute-bound");
  for (const auto* typed :
       {"overhead", "overhead-bound", "overhead/sync bound", "launch bound", "sync", "synchronisation"})
    CHECK(chosen_of(typed, regimes) == "overhead/sync-bound");
  CHECK_FALSE(chosen_of("bound", regimes));
  CHECK_FALSE(chosen_of("about 2 times", regimes));
}

TEST_CASE("what counts as an answer is told in full, and each word of it counts", "[learn]") {
  const CourseUnit unit{.check = AnswerCheck::regime, .answers = {"input-bound", "memory-bound"}};
  CHECK(
      accepted_answers(unit).starts_with("Each of these words counts, and so does its number:\n\n"
                                         "1 input-bound, data loader, "));
  CHECK(accepted_answers(unit).ends_with("\n\n2 memory-bound, bandwidth, memory bandwidth, hbm"));
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
