#include "harness/compare/node.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <string>

using namespace harness;
using namespace harness::compare;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::StartsWith;

namespace {

auto says(const std::string& text) { return MessageMatches(ContainsSubstring(text)); }

}  // namespace

TEST_CASE("text that is no JSON is refused in one sentence that says where", "[node]") {
  CHECK_THROWS_MATCHES(Document("{\"a\": ", "r.json"), BadInput,
                       MessageMatches(StartsWith("r.json: parse error")));
  CHECK_THROWS_MATCHES(Document("", "r.json"), BadInput, says("unexpected end of input"));
  CHECK_THROWS_MATCHES(Document("{\"a\": NaN}", "r.json"), BadInput, says("line 1, column 7"));
  CHECK_THROWS_MATCHES(Document("[1] 2", "r.json"), BadInput, says("parse error"));
  CHECK_THROWS_MATCHES(Document("[\"\xff\"]", "r.json"), BadInput, says("UTF-8"));
}

TEST_CASE("a number beyond a double is refused", "[node]") {
  CHECK_THROWS_MATCHES(Document("[1e999]", "r.json"), BadInput, says("1e999"));
}

TEST_CASE("nesting of 200 levels is refused, and so is one of a million", "[node]") {
  for (const std::size_t levels : {200u, 1'000'000u}) {
    const auto text = std::string(levels, '[') + std::string(levels, ']');
    CHECK_THROWS_MATCHES(Document(text, "r.json"), BadInput, says("nested deeper than 32 levels"));
  }
  CHECK_NOTHROW(Document(std::string(20, '[') + std::string(20, ']'), "r.json"));
}

TEST_CASE("a message about one endless token stays short", "[node]") {
  try {
    const Document document("[\"" + std::string(1'000'000, 'x'), "r.json");
    FAIL("accepted");
  } catch (const BadInput& error) {
    CHECK(std::string(error.what()).size() < 300);
  }
}

TEST_CASE("a duplicate key is refused where it is asked for", "[node]") {
  const Document document(R"({"a": 1, "b": 2, "a": 3})", "r.json");
  CHECK_THROWS_MATCHES(document.root()["a"], BadInput, says("r.json: duplicate key 'a'"));
  CHECK(document.root()["b"].number() == 2);
}

TEST_CASE("a wrong type and a missing member are named with the way to them", "[node]") {
  const Document document(R"({"pairs": [{"n": "x"}], "list": [1, "2"], "none": null})", "r.json");
  const auto root = document.root();
  const auto pair = root["pairs"].entries().at(0);
  CHECK_THROWS_MATCHES(pair["n"].number(), BadInput,
                       says("r.json.pairs[0].n: a number is expected, not a text"));
  CHECK_THROWS_MATCHES(pair["m"], BadInput, says("r.json.pairs[0]: 'm' is missing"));
  CHECK_THROWS_MATCHES(root["list"].numbers(), BadInput, says("r.json.list[1]: a number is expected"));
  CHECK_THROWS_AS(root["pairs"].text(), BadInput);
  CHECK_THROWS_AS(root["list"]["x"], BadInput);
  CHECK_THROWS_AS(root["pairs"].members(), BadInput);
  CHECK_THROWS_AS(root["none"].entries(), BadInput);
}

TEST_CASE("null is a number that was not finite, and no member to be found", "[node]") {
  const Document document(R"({"a": null, "list": [1, null]})", "r.json");
  CHECK(std::isnan(document.root()["a"].number()));
  CHECK(std::isnan(document.root()["list"].numbers().at(1)));
  CHECK_FALSE(document.root().find("a"));
}

TEST_CASE("a whole number outside of its range, broken or too large is refused", "[node]") {
  const Document document(R"([5, 1.5, 18446744073709551615, -1])", "r.json");
  const auto all = document.root().entries();
  CHECK(all[0].integer(0, 10) == 5);
  for (const std::size_t i : {1u, 2u, 3u}) CHECK_THROWS_AS(all[i].integer(0, 10), BadInput);
}
