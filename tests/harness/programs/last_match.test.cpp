#include "harness/programs/last_match.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <string>
#include <utility>

namespace harness::programs {
namespace {

LastMatch heard(const std::string& expression, std::string_view lines) {
  LastMatch match(expression, "--metric-from");
  match.hear(lines);
  return match;
}

TEST_CASE("an expression needs the text outside of its groups, classes and alternatives", "[versus]") {
  for (const auto& [expression, text] : {std::pair{R"(samples/s: (\d+))", "samples/s: "},
                                         {R"(^loss=(\S+)$)", "loss="},
                                         {R"((\d+) images in \d+ s)", " images in "},
                                         {R"(a\.b)", "a.b"},
                                         {R"(abc?d)", "ab"},
                                         {R"(abc*d)", "ab"},
                                         {R"(ab+cd)", "ab"},
                                         {R"(abc{0,2}d)", "ab"},
                                         {R"(a|b)", ""},
                                         {R"((abc)?)", ""},
                                         {R"((a[)]b)x)", "x"},
                                         {R"((\)a)bc)", "bc"},
                                         {R"([ab]cd)", "cd"},
                                         {R"([[:digit:]]x)", ""},
                                         {R"(\x41bc)", "bc"},
                                         {R"((\d+))", ""}}) {
    CAPTURE(expression);
    CHECK(needed_text(expression) == text);
  }
}

TEST_CASE("the last line that matches counts, whatever ends it", "[versus]") {
  CHECK(heard(R"(rate (\d+))", "rate 1\nrate 2\nx\n").found() == "2");
  CHECK(heard(R"(rate (\d+))", "rate 1\rrate 2\r\n").found() == "2");
  CHECK(heard(R"(rate (\d+))", "rate 1\nrate x\n").found() == "1");
  CHECK(heard(R"((\d+))", "1 2\n\n\n").found() == "1");
  CHECK(heard(R"(rate \d+)", "rate 7").found() == "rate 7");
  CHECK_FALSE(heard(R"(rate (\d+))", "rate\n5\n").found());
  CHECK_FALSE(heard(R"((\d+))", "").found());
}

TEST_CASE("an expression has one group at most, since one value is compared", "[versus]") {
  CHECK_THROWS_WITH(heard(R"((\d+) of (\d+))", ""),
                    "--metric-from \"(\\d+) of (\\d+)\": has 2 groups, and the "
                    "value is that of one; write the others as (?:...)");
  CHECK(heard(R"((?:\d+) of (\d+))", "1 of 2\n").found() == "2");
}

TEST_CASE("what was found is kept until another is, or it is forgotten", "[versus]") {
  auto match = heard(R"(rate (\d+))", "rate 1\n");
  match.hear("nothing\n");
  CHECK(match.found() == "1");
  match.forget();
  CHECK_FALSE(match.found());
}

TEST_CASE("a long line comes in pieces, the last of them first", "[versus]") {
  const auto line = "a 1 " + std::string(3 * longest_line, 'x') + " a 2 ";
  CHECK(heard(R"(a (\d+) )", line).found() == "2");
  CHECK(heard(R"(a (\d+) x)", line).found() == "1");
}

TEST_CASE("the last line is the last that is not empty", "[versus]") {
  CHECK(last_line("a\nb\r\n\n") == "b");
  CHECK(last_line("a") == "a");
  CHECK(last_line("\n\r\n").empty());
  CHECK(last_line("").empty());
  CHECK(last_line("a\n" + std::string(longest_line, 'x') + "yz\n") == "yz");
}

}  // namespace
}  // namespace harness::programs
