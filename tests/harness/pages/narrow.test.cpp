#include "harness/pages/narrow.hpp"

#include "harness/pages/topics.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <string_view>

using namespace harness;
using namespace harness::pages;

namespace {

/// A drawing, a table or an address.
bool stays(std::string_view line) {
  const auto text = line.substr(std::min(line.find_first_not_of(' '), line.size()));
  constexpr std::string_view marks[] = {"   ", "://", "---", "->", "^^"};
  return std::ranges::any_of(marks, [&](auto mark) { return text.find(mark) != text.npos; });
}

std::string too_long(const std::string& text) {
  std::string found;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto line = text.substr(begin, text.find('\n', begin) - begin);
    if (line.size() > 60 && !stays(line)) found += line + "\n";
    begin += line.size() + 1;
  }
  return found;
}

}  // namespace

TEST_CASE("on a terminal of 60 columns a topic has its prose and lists in 60, on one of 100 it is as written",
          "[narrow]") {
  for (const auto& topic : topics()) {
    INFO(topic.name);
    CHECK(too_long(narrow_topic(topic.text, {.columns = 60})).empty());
    CHECK(narrow_topic(topic.text, {.columns = 100}) == topic.text);
  }
}

TEST_CASE("entries of a list are wrapped below their text, drawings stay", "[narrow]") {
  CHECK(narrow_topic("A list\n  one   words that go on and on\n        and on\n  three few\n",
                     {.columns = 29}) ==
        "A list\n  one   words that go on and\n        on and on\n  three few\n");
  CHECK(narrow_topic("  - words that go on and on\n    here\n", {.columns = 24}) ==
        "  - words that go on and\n    on here\n");
  const std::string drawing = "  a   |  b   | c and more than fits |\n  d   |  e   | f |\n";
  CHECK(narrow_topic(drawing, {.columns = 30}) == drawing);
}

TEST_CASE("what a name means stands beside it, or below it where no room is left", "[narrow]") {
  CHECK(entry_text("a/b", "what it is", 6, {.columns = 60}) == "a/b   what it is\n");
  CHECK(entry_text("a/b", "what it is", 40, {.columns = 60}) == "a/b\n    what it is\n");
}
