#include "harness/programs/knobs.hpp"

#include "harness/core/setup.hpp"
#include "harness/programs/knob_search.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <utility>

using namespace harness::programs;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a template names its knobs, and is a command at each of their values", "[tune]") {
  const Template command("train --batch {batch:16,32,64} -w {workers:0..3} {fast:,--fast} -x {batch}");
  REQUIRE(command.knobs().size() == 3);
  CHECK(command.knobs()[0].values == std::vector<std::string>{"16", "32", "64"});
  CHECK(command.knobs()[1].values == std::vector<std::string>{"0", "1", "2", "3"});
  CHECK(command.knobs()[2].values == std::vector<std::string>{"", "--fast"});
  CHECK(command.knobs()[0].ordered);
  CHECK_FALSE(command.knobs()[2].ordered);
  CHECK(command.command(command.standard()) == "train --batch 16 -w 0  -x 16");
  CHECK(command.command({{"batch", "64"}, {"workers", "2"}, {"fast", "--fast"}}) ==
        "train --batch 64 -w 2 --fast -x 64");
}

TEST_CASE("a value of any length is one, and no reason to end", "[tune]") {
  const std::string longest(200'000, '9');
  CHECK(Template("x {a:1," + longest + "}").knobs()[0].values.back() == longest);
  CHECK_THROWS_WITH(Template("x {a:1.." + longest + "}"), ContainsSubstring("needs a rising range"));
}

TEST_CASE("braces that are no knob stay as they are", "[tune]") {
  const Template command("awk '{ print $1 }' {n:1,2} \"${HOME}\" {}");
  CHECK(command.command({{"n", "2"}}) == "awk '{ print $1 }' 2 \"${HOME}\" {}");
}

TEST_CASE("a wrong template is one sentence", "[tune]") {
  const std::pair<const char*, const char*> wrong[] = {{"train", "has no knob"},
                                                       {"train {n:1}", "two values at least"},
                                                       {"train {n:3..1}", "rising range"},
                                                       {"train {n:1,2,1}", "the value \"1\" twice"},
                                                       {"train {n:1,2} {n:3,4}", "declared twice"}};
  for (const auto& [text, sentence] : wrong) CHECK_THROWS_WITH(Template(text), ContainsSubstring(sentence));
}

TEST_CASE(
    "the best trials are those that came to an end, the fastest first, without the command as it stands",
    "[tune]") {
  const Settings standard{{"n", "1"}};
  const std::vector<Tried> tried{{.number = 0, .settings = standard, .value = 1},
                                 {.number = 1, .settings = {{"n", "2"}}, .value = 3},
                                 {.number = 2, .settings = {{"n", "3"}}, .state = State::pruned, .value = 0},
                                 {.number = 3, .settings = {{"n", "4"}}, .value = 2},
                                 {.number = 4, .settings = {{"n", "5"}}, .state = State::failed, .value = 0}};
  const Template command("train {n:1,2,3,4,5}");
  const auto best = best_of(tried, command, 3);
  REQUIRE(best.size() == 2);
  CHECK(best[0].number == 3);
  CHECK(best[1].number == 1);
  CHECK(best_of(tried, command, 1).size() == 1);
}

TEST_CASE("settings that make the same command are proven once", "[tune]") {
  const Template command("train {a:,-x} {b:,-x} {c:,-y}");
  const std::vector<Tried> tried{{.number = 0, .settings = {{"a", "-x"}, {"b", "-x"}, {"c", ""}}, .value = 1},
                                 {.number = 1, .settings = {{"a", "-x"}, {"b", "-x"}, {"c", ""}}, .value = 2},
                                 {.number = 2, .settings = command.standard(), .value = 0}};
  CHECK(best_of(tried, command, 3).size() == 1);
}
