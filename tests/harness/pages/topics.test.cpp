// The pages of `explain topic/NAME`, as they were embedded, and how one is found.
#include "harness/pages/topics.hpp"

#include "tests/golden.hpp"

#include "harness/core/step.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <regex>

using namespace harness;
using namespace harness::pages;

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (; !text.empty(); text.remove_prefix(lines.back().size() + 1))
    lines.emplace_back(text.substr(0, text.find('\n')));
  return lines;
}

std::string said_of(const std::string& name) {
  try {
    find_topic(name);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "found";
}

constexpr Topic example{"topic/example",
                        "What it is\n\nSome text.\n\nSteps that show it\n  a/b   this\n  c/d   that\n\n"
                        "Sources\n  a book\n"};

}  // namespace

TEST_CASE("the list of topics is the one that was reviewed", "[golden]") {
  const auto text = topics_text({});
  CHECK(text == tests::golden("topics.txt", text));
}

TEST_CASE("each topic is found by its name, and they are sorted by it", "[topics]") {
  CHECK(std::ranges::is_sorted(topics(), {}, &Topic::name));
  for (const auto& topic : topics()) {
    CHECK(asks_for_topics(topic.name));
    CHECK(&find_topic(std::string(topic.name)) == &topic);
  }
}

TEST_CASE("each topic fits a screen of 60 lines and 100 columns, in ASCII", "[topics]") {
  for (const auto& topic : topics()) {
    INFO(topic.name);
    REQUIRE(topic.text.ends_with("\n"));
    const auto lines = lines_of(topic.text);
    CHECK(lines.size() <= 60);
    for (const auto& line : lines) {
      INFO(line);
      CHECK(line.size() <= 100);
      CHECK(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; }));
    }
  }
}

TEST_CASE("each topic has a title, steps that show it, and sources", "[topics]") {
  for (const auto& topic : topics()) {
    INFO(topic.name);
    CHECK_FALSE(title_of(topic).empty());
    CHECK(steps_of(topic).size() >= 3);
    CHECK(lines_below(topic, "Sources").size() >= 2);
  }
}

TEST_CASE("a topic that another one names is there", "[topics]") {
  const std::regex named("topic/[a-z_]+");
  for (const auto& topic : topics()) {
    const std::string text(topic.text);
    for (std::sregex_iterator at(text.begin(), text.end(), named), end; at != end; ++at) {
      INFO(topic.name);
      CHECK(said_of(at->str()) == "found");
    }
  }
}

TEST_CASE("what stands below a heading ends with the next empty line", "[topics]") {
  CHECK(title_of(example) == "What it is");
  CHECK(steps_of(example) == std::vector<std::string_view>{"a/b", "c/d"});
  CHECK(lines_below(example, "Sources") == std::vector<std::string_view>{"a book"});
  CHECK(lines_below(example, "Elsewhere").empty());
}

TEST_CASE("a page is printed as it was written, its title in bold where there is colour", "[topics]") {
  CHECK(topic_text(example, {}) == example.text);
  CHECK(topic_text(example, {.colour = true}).starts_with("\x1b[1mWhat it is\x1b["));
}

TEST_CASE("a topic that is not there names near misses, or the list", "[topics]") {
  CHECK(said_of("topic/warmup") == "unknown topic 'topic/warmup'; did you mean 'topic/warm_up'?");
  CHECK(said_of("topic/xyz") == "unknown topic 'topic/xyz'; run 'tuneproof explain topics' to see them all");
  CHECK(said_of("topic/").find("'tuneproof explain topics'") != std::string::npos);
  CHECK_FALSE(asks_for_topics("sync/item_every_step"));
}
