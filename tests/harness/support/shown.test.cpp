#include "harness/support/text.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using harness::printable, harness::printable_json, harness::printable_lines, harness::shown;

TEST_CASE("text is shown on one line, in ASCII and cut short", "[text]") {
  CHECK(shown("a\nb\x80") == "\"a?b?\"");
  CHECK(shown(std::string(100, 'x')) == "\"" + std::string(40, 'x') + "...\"");
}

TEST_CASE("what moves a cursor or turns a text around is not shown, and other languages are", "[text]") {
  CHECK(printable("a\x1b[2J\n\x7f") == "a?[2J??");
  CHECK(printable("\xc2\x9b\xd8\x9c\xe2\x80\x8f\xe2\x80\xae\xe2\x81\xa6") == "?????");
  CHECK(printable("\xe2\x80\xa8\xe2\x80\xaa") == "??");
  const auto* const kept =
      "\xc3\xa9\xe2\x80\x93\xe2\x80\x9c\xe2\x82\xac\xe6\x97\xa5";  // letters, dash, quotes, euro
  CHECK(printable(kept) == kept);
}

TEST_CASE("bytes that are no UTF-8 are not shown: a terminal may take them for controls", "[text]") {
  CHECK(printable("a\x9b"
                  "31mb") == "a?31mb");
  CHECK(printable("\xc3") == "?");
  CHECK(printable("\xe2\x82z\xf0\x9f\x98") == "??z???");
  const auto* const face = "\xf0\x9f\x98\x80";
  CHECK(printable(face) == face);
}

TEST_CASE("of laid out lines our ink and the ends of lines stay, and every other escape goes", "[text]") {
  CHECK(printable_lines("\x1b[31mred\x1b[0m\nplain\n") == "\x1b[31mred\x1b[0m\nplain\n");
  CHECK(printable_lines("\x1b[2J\x1b]0;title\x07\x1b[31") == "?[2J?]0;title??[31");
  CHECK(printable_lines("a\r\t\xc2\x9b\xe2\x80\xae\n") == "a????\n");
}

TEST_CASE("a JSON text moves no cursor, turns nothing around and means the same", "[text]") {
  CHECK(printable_json("{\n  \"\xc2\x9b\xe2\x80\xae\x7f\": \"\xc3\xa9\xe6\x97\xa5\"}") ==
        "{\n  \"\\u009b\\u202e\\u007f\": \"\xc3\xa9\xe6\x97\xa5\"}");
}

}  // namespace
