#include "harness/support/text.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace harness;

TEST_CASE("text is wrapped between words", "[text]") {
  CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("", 7).empty());
}

TEST_CASE("a word that is too long stands alone and whole", "[text]") {
  CHECK(wrap("a https://example.org/x b", 5) == std::vector<std::string>{"a", "https://example.org/x", "b"});
}

TEST_CASE("lines that follow are indented as the first", "[text]") {
  CHECK(indented("Claim", "one two three", 8, {.columns = 15}) == "Claim   one two\n        three\n");
}

TEST_CASE("a lead that fills its column keeps one blank", "[text]") {
  CHECK(indented("a_long_lead", "text", 4, {}) == "a_long_lead text\n");
}

TEST_CASE("the cells of a row that has no room for them stand below its name, each whole", "[text]") {
  const std::vector<std::string> cells{"12.3 ms", "", "+10.0 % [+9.0, +11.0]", "slower"};
  CHECK(stacked("a", cells, {.columns = 40}) == "  a\n    12.3 ms  +10.0 % [+9.0, +11.0]\n    slower\n");
  CHECK(stacked("a long name", cells, {.columns = 11}) ==
        "  a lon..me\n    12.3 ms\n    +10.0 % [+9.0, +11.0]\n    slower\n");
}

TEST_CASE("a name that loses its middle loses whole characters", "[text]") {
  const std::string accents = "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9";
  CHECK(without_middle(accents, 11) == "\u00e9\u00e9\u00e9..\u00e9");
  CHECK(without_middle("x" + accents, 11) == "x\u00e9\u00e9..\u00e9");
  CHECK(without_middle("abcdefghijkl", 11) == "abcdef..jkl");
}

TEST_CASE("ink shows only where there is colour", "[text]") {
  CHECK(inked("x", Ink::green, {.colour = true}) == "\x1b[32mx\x1b[0m");
  CHECK(inked("x", Ink::green, {}) == "x");
}

TEST_CASE("paragraphs are wrapped anew, and lists and tables are left alone", "[text]") {
  CHECK(reflowed("one two\nthree four\n\nfive\n- a list item that is long\n  | a | table |\nsix\n",
                 {.columns = 14}) ==
        "one two three\nfour\n\nfive\n- a list item that is long\n  | a | table |\nsix\n");
  CHECK(reflowed("", {}).empty());
}
