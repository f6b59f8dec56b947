#include "harness/pages/course.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <deque>
#include <filesystem>
#include <unistd.h>

using namespace harness;
using namespace harness::pages;
using Catch::Matchers::ContainsSubstring;

namespace {

CourseUnit prediction() {
  return {.name = "1_a",
          .phase = "feed",
          .title = "First",
          .text = "Text.\n",
          .ask = "What?\n",
          .after = "Because.\n",
          .row = "a/b",
          .answers = {"helps", "hurts"}};
}
CourseUnit exercise() {
  return {.name = "2_b",
          .phase = "apply",
          .title = "Second",
          .text = "More text.\n",
          .ask = "In which order?\n",
          .hint = "It begins with a.\n\nThe other is b.\n",
          .solution = "First a, then b.\n",
          .after = "That is it.\n",
          .exercise = true,
          .check = AnswerCheck::order,
          .order = "ab"};
}

/// A course over typed lines, on a progress file of its own.
struct Scene {
  explicit Scene(std::deque<std::string> typed)
      : lines(std::move(typed)),
        file(std::filesystem::temp_directory_path() / ("learn-test-" + std::to_string(getpid()) + ".json")),
        progress((std::filesystem::remove(file), file)) {}
  ~Scene() { std::filesystem::remove(file); }
  bool teach(const std::string& only = {}) {
    const auto line = [this]() -> std::optional<std::string> {
      if (lines.empty()) return std::nullopt;
      auto next = lines.front();
      lines.pop_front();
      return next;
    };
    Course lessons(units, progress, {line, [this](std::string_view text) { said += text; }},
                   {[this](const CourseUnit& unit) { return unit.exercise ? order_of(unit) : truth; },
                    [](const CourseUnit&) { return std::string("shown\n"); },
                    [](const CourseUnit& unit) { return unit.command(); }},
                   {});
    const bool ended = lessons.teach(only);
    table = lessons.table();
    return ended;
  }
  std::vector<CourseUnit> units{prediction(), exercise()};
  std::deque<std::string> lines;
  std::filesystem::path file;
  CourseProgress progress;
  Truth truth{.said = "helps by far", .from = "measured now", .names = {"helps"}};
  std::string said, table;
};

}  // namespace

TEST_CASE("a unit is text, a question, what is so, and what follows", "[learn]") {
  Scene scene({"helps", "ab"});
  CHECK(scene.teach());
  CHECK_THAT(scene.said, ContainsSubstring("[1/2] 1_a, feed: First\n\nText.\n"));
  CHECK_THAT(scene.said, ContainsSubstring(
                             "RIGHT. You said helps.\nThe answer: helps by far (measured now)\n\nBecause."));
  CHECK(scene.progress.find("1_a")->how == "right");
  CHECK(scene.progress.find("2_b")->how == "right");
  CHECK_THAT(scene.table, ContainsSubstring("2 of 2 units: 2 right, 0 wrong, 0 shown, 0 skipped"));
}

TEST_CASE("a prediction that does not come true is said to be otherwise, and the course goes on", "[learn]") {
  Scene scene({"hurts", "skip"});
  CHECK(scene.teach());
  CHECK_THAT(scene.said, ContainsSubstring("WRONG. You said hurts."));
  CHECK_THAT(scene.said, ContainsSubstring("helps by far (measured now)"));
  CHECK(scene.progress.find("1_a")->how == "otherwise");
  CHECK_THAT(scene.table, ContainsSubstring("1_a               wrong"));
  CHECK_THAT(scene.table, !ContainsSubstring("otherwise"));
  CHECK(scene.progress.find("2_b")->how == "skipped");
}

TEST_CASE("a wrong solution is caught as often as it is tried, without giving the right one away",
          "[learn]") {
  Scene scene({"ba", "ba", "ba", "ab"});
  CHECK(scene.teach("2_b"));
  const auto first = scene.said.find("WRONG. You said ba.");
  REQUIRE(first != std::string::npos);
  CHECK(scene.said.find("WRONG. You said ba.", first + 1) != std::string::npos);
  CHECK(scene.said.find("The answer") > scene.said.find("RIGHT."));
  const auto hint = scene.said.find("Hint: It begins with a.");
  CHECK(hint > first);
  const auto second = scene.said.find("Hint: ", hint + 1);
  CHECK(scene.said.compare(second, 21, "Hint: The other is b.") == 0);
  CHECK(scene.said.find("Hint: ", second + 1) == std::string::npos);
  CHECK(scene.progress.find("2_b")->how == "right");
  CHECK(scene.progress.find("2_b")->tries == 4);
  CHECK_THAT(scene.table, ContainsSubstring("right (4 tries)"));
  CHECK_THAT(scene.table, ContainsSubstring("1 right (1 at a later try)"));
  CHECK(CourseProgress(scene.file).find("2_b")->tries == 4);
}

TEST_CASE("a hint is given when it is asked for, each once, and costs no try", "[learn]") {
  Scene scene({"hint", "ba", "hint", "ab"});
  CHECK(scene.teach("2_b"));
  const auto first = scene.said.find("Hint: It begins with a.");
  CHECK(first < scene.said.find("WRONG."));
  const auto second = scene.said.find("Hint: The other is b.");
  CHECK(second > scene.said.find("WRONG."));
  CHECK(scene.said.find("There is no further hint; solution shows the solution.") > second);
  CHECK(scene.progress.find("2_b")->tries == 2);
}

TEST_CASE("a prediction has no hint, and says so", "[learn]") {
  Scene scene({"hint", "helps"});
  CHECK(scene.teach("1_a"));
  CHECK_THAT(scene.said, ContainsSubstring("There is no hint: this asks for a prediction"));
  CHECK(scene.progress.find("1_a")->how == "right");
}

TEST_CASE("a question mark tells what counts as an answer, and costs no try", "[learn]") {
  Scene scene({"?", "helps", "?", "ab"});
  CHECK(scene.teach());
  CHECK_THAT(scene.said, ContainsSubstring("(Please type helps or hurts; ? shows what counts as an answer)"));
  CHECK_THAT(scene.said, ContainsSubstring("This asks for helps or hurts: in full"));
  CHECK_THAT(scene.said, ContainsSubstring("each of 2 letters once, with or without blanks"));
  CHECK_THAT(scene.said, !ContainsSubstring("WRONG"));
  CHECK(scene.progress.find("2_b")->tries == 1);
}

TEST_CASE("the solution is shown when it is asked for, and counts as shown", "[learn]") {
  Scene scene({"solution"});
  CHECK(scene.teach("2_b"));
  CHECK_THAT(scene.said, ContainsSubstring("First a, then b.\n\nThat is it.\n"));
  CHECK(scene.progress.find("2_b")->how == "shown");
}

TEST_CASE("run shows what the command of a trace prints, where one name would be an answer too", "[learn]") {
  Scene scene({"run", "quit"});
  scene.units[1].trace = "x.json";
  scene.units[1].check = AnswerCheck::waits;
  CHECK_FALSE(scene.teach("2_b"));
  CHECK_THAT(scene.said, ContainsSubstring("> shown\n> "));
  CHECK(scene.progress.find("2_b") == nullptr);
}

TEST_CASE("what can be no answer is asked for again with what can", "[learn]") {
  Scene scene({"perhaps", "", "helps"});
  CHECK(scene.teach("1_a"));
  CHECK_THAT(scene.said, ContainsSubstring("Please type helps or hurts; else skip or quit.\n"));
  CHECK(scene.progress.find("1_a")->how == "right");
}

TEST_CASE("the end of the input leaves what was done, and the next time goes on there", "[learn]") {
  Scene scene({"helps"});
  CHECK_FALSE(scene.teach());
  CHECK(scene.progress.find("1_a") != nullptr);
  CHECK(scene.progress.find("2_b") == nullptr);
  scene.said.clear();
  scene.lines = {"ab"};
  CHECK(scene.teach());
  CHECK_THAT(scene.said, !ContainsSubstring("feed: First"));
}

TEST_CASE("what cannot be measured here is said, with the reason, and counts as skipped", "[learn]") {
  Scene scene({"helps"});
  scene.truth = {.missing = "skipped: no CUDA device"};
  CHECK(scene.teach("1_a"));
  CHECK_THAT(scene.said, ContainsSubstring("This machine cannot answer: skipped: no CUDA device"));
  CHECK(scene.progress.find("1_a")->how == "skipped");
}

TEST_CASE("a unit of which nothing is decided stays open, and its text follows as unconfirmed", "[learn]") {
  Scene scene({"helps"});
  scene.truth = {.missing = "cannot tell; only 3 of 10 rounds", .undecided = true};
  CHECK(scene.teach("1_a"));
  CHECK_THAT(scene.said, ContainsSubstring("You said helps. Nothing is decided.\ncannot tell; only 3 of 10 "
                                           "rounds.\n"));
  CHECK_THAT(scene.said, ContainsSubstring("Then run tuneproof learn 1."));
  CHECK_THAT(scene.said, ContainsSubstring("What follows was not confirmed by this run:\n\nBecause.\n"));
  CHECK(scene.progress.find("1_a") == nullptr);
}

TEST_CASE("what was measured on a busy machine can show that an answer is right, not that it is wrong",
          "[learn]") {
  for (const auto* typed : {"1", "2"}) {
    Scene scene({typed});
    scene.truth.disturbed = true;
    CHECK(scene.teach("1_a"));
    CHECK_THAT(scene.said, !ContainsSubstring("WRONG"));
    CHECK_THAT(scene.said,
               ContainsSubstring(typed == std::string("1") ? "RIGHT. You said helps."
                                                           : "You said hurts. Nothing is decided.\n"
                                                             "helps by far (measured now).\n"));
    CHECK((scene.progress.find("1_a") == nullptr) == (typed == std::string("2")));
  }
}

TEST_CASE("an answer is repeated as it was typed, and its solution follows", "[learn]") {
  Scene scene({" BA", "ab"});
  CHECK(scene.teach("2_b"));
  CHECK_THAT(scene.said, ContainsSubstring("WRONG. You said BA."));
  CHECK_THAT(scene.said, ContainsSubstring("\n\nFirst a, then b.\n\nThat is it.\n"));
}

TEST_CASE("progress is kept in its file and read from there", "[learn]") {
  Scene scene({"hurts"});
  CHECK(scene.teach("1_a"));
  const CourseProgress again(scene.file);
  REQUIRE(again.find("1_a") != nullptr);
  CHECK(again.find("1_a")->answer == "hurts");
  CHECK(again.find("1_a")->truth == "helps by far");
}
