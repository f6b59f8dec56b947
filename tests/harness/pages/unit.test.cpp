#include "harness/pages/unit.hpp"

#include "harness/core/setup.hpp"
#include "harness/pages/course.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include <algorithm>
#include <set>
#include <string>

using namespace harness;
using namespace harness::pages;
using Catch::Matchers::Message;

namespace {

constexpr auto text =
    "phase: feed\ntitle: A copy\nrow: a/b/n:1\ncheck: factor\nnear: 2\nrange: 1 to "
    "10,000\n\nFirst.\n\nSecond.\n\nASK\nHow "
    "much?\n\nAFTER\n"
    "Because.\n";

}  // namespace

TEST_CASE("a unit is its keys and its sections", "[learn]") {
  const auto unit = parse_unit("21_x", text);
  CHECK(unit.phase == "feed");
  CHECK(unit.title == "A copy");
  CHECK(unit.text == "First.\n\nSecond.\n");
  CHECK(unit.ask == "How much?\n");
  CHECK(unit.after == "Because.\n");
  CHECK(unit.check == AnswerCheck::factor);
  CHECK(unit.near == 2);
  CHECK(unit.least == 1);
  CHECK(unit.most == 10000);
  CHECK_FALSE(unit.exercise);
  CHECK(unit.command() == "run a/b/n:1");
}

TEST_CASE("a unit that is not whole is refused with its name", "[learn]") {
  CHECK_THROWS_MATCHES(parse_unit("x", "phase: a\n"), BadInput,
                       Message("unit x of the course: it ends with its keys"));
  CHECK_THROWS_MATCHES(parse_unit("x", "phase\n\n"), BadInput,
                       Message("unit x of the course: 'phase' is not 'key: value'"));
  CHECK_THROWS_MATCHES(parse_unit("x", "check: guess\n\n"), BadInput,
                       Message("unit x of the course: unknown check 'guess'"));
  CHECK_THROWS_MATCHES(parse_unit("x", "check: factor\n\n"), BadInput,
                       Message("unit x of the course: its check does not fit what it looks at"));
}

TEST_CASE("a simulated answer needs a recording and a GPU", "[learn]") {
  constexpr std::string_view whole =
      "phase: p\ntitle: t\nrecording: r.json\ngpu: a30\ncheck: simulated\nrange: 1 to "
      "10\n\nT\n\nASK\nA\n\nAFTER\nB\n";
  CHECK(parse_unit("x", whole).command() == "simulate --from r.json --gpu a30 --lines");
  std::string without(whole);
  without.replace(without.find("gpu: a30\n"), 9, "");
  CHECK_THROWS_MATCHES(
      parse_unit("x", without), BadInput,
      Message("unit x of the course: a simulated answer, and nothing else, needs a recording and a gpu"));
}

TEST_CASE("an exercise needs a hint and a solution", "[learn]") {
  const std::string keys = "kind: exercise\ntitle: t\nphase: p\ncheck: order ab\n\nT\n\nASK\nA\n";
  for (const auto* one : {"", "\nHINT\nH\n", "\nSOLUTION\nS\n"})
    CHECK_THROWS_MATCHES(
        parse_unit("x", keys + one + "\nAFTER\nB\n"), BadInput,
        Message("unit x of the course: an exercise, and nothing else, has a hint and a solution"));
  CHECK(parse_unit("x", keys + "\nHINT\nH\n\nSOLUTION\nS\n\nAFTER\nB\n").hint == "H\n");
}

TEST_CASE("a number needs the range in which an answer may lie", "[learn]") {
  std::string whole(text);
  const auto line = std::string("range: 1 to 10,000\n");
  const auto with = [&](const std::string& other) {
    return std::string(whole).replace(whole.find(line), line.size(), other);
  };
  CHECK_THROWS_AS(parse_unit("x", with("")), BadInput);
  for (const auto* range : {"10", "10 to 1", "1 to many", "0 to 5"})
    CHECK_THROWS_MATCHES(
        parse_unit("x", with(std::string("range: ") + range + "\n")), BadInput,
        Message(std::string("unit x of the course: '") + range + "' is not a range such as 1 to 100"));
}

TEST_CASE("the course has four phases in their order, and each unit fits one screen", "[learn]") {
  std::vector<std::string> phases;
  for (const auto& unit : course()) {
    if (phases.empty() || phases.back() != unit.phase) phases.push_back(unit.phase);
    INFO(unit.name);
    CHECK(std::ranges::count(unit.text + unit.ask + unit.solution + unit.after, '\n') <= 40);
  }
  CHECK(phases == std::vector<std::string>{"instrument", "feed", "speed up the step", "apply"});
}

TEST_CASE("every trace that a unit names is carried, and says that it is made up", "[learn]") {
  std::set<std::string_view> carried;
  for (const auto& trace : course_traces()) {
    carried.insert(trace.name);
    CHECK(trace.text.find("not recorded") != std::string_view::npos);
  }
  for (const auto& unit : course()) {
    INFO(unit.name);
    if (unit.trace.empty()) continue;
    CHECK(carried.contains(unit.trace));
    CHECK(unit.text.find("made up") != std::string::npos);
    const auto trace = std::ranges::find(course_traces(), unit.trace, &Embedded::name);
    for (const auto& name : unit.also) CHECK(trace->text.find(name) != std::string_view::npos);
  }
}
