#include "harness/support/field.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

namespace harness::inline support {
namespace {

TEST_CASE("A missing or wrong field is named with the way to it", "[field]") {
  const auto json = parse_json(R"({"pairs": [{"n": "x", "big": 18446744073709551615}]})", "r.json");
  const Field root(json, "r.json");
  const auto pair = root["pairs"].entries()[0];
  CHECK_THROWS_WITH(root["none"], "r.json: 'none' is missing");
  CHECK_THROWS_WITH(pair["n"].number(), "r.json.pairs[0].n: expected a number, not string");
  CHECK_THROWS_WITH(pair["n"]["deeper"], "r.json.pairs[0].n: expected an object, not string");
  CHECK_THROWS_WITH(pair["big"].integer(), "r.json.pairs[0].big: the number is too large");
}

TEST_CASE("Text that is no JSON says where", "[field]") {
  CHECK_THROWS_AS(parse_json("{\"a\": NaN}", "r.json"), BadInput);
  CHECK_THROWS_AS(parse_json("", "r.json"), BadInput);
  CHECK_THROWS_AS(parse_json("[1e999]", "r.json"), BadInput);
}

TEST_CASE("A message about one endless token stays short", "[field]") {
  try {
    parse_json("[\"" + std::string(1'000'000, 'x'), "r.json");
    FAIL("accepted");
  } catch (const BadInput& error) {
    CHECK(std::string(error.what()).size() < 300);
  }
}

TEST_CASE("A member may be missing or null, and then is not found", "[field]") {
  const auto json = parse_json(R"({"a": null, "b": 2})", "r.json");
  CHECK_FALSE(Field(json, "r.json").find("a"));
  CHECK_FALSE(Field(json, "r.json").find("c"));
  CHECK(Field(json, "r.json").find("b")->number() == 2);
}

TEST_CASE("Numbers that are not finite become null, and null a number that is not finite", "[field]") {
  CHECK(finite(std::numeric_limits<double>::infinity()).is_null());
  CHECK(finite(std::nan("")).is_null());
  const Json null(nullptr);
  CHECK(std::isnan(Field(null, "x").number()));
}

TEST_CASE("Pretty text keeps plain arrays on one line and reads back as the same", "[field]") {
  const Json json = {{"a", {1, 2, 3}}, {"b", {{"long", std::string(90, 'x')}}}, {"c", Json::array()}};
  CHECK(pretty(json) == "{\n  \"a\": [1,2,3],\n  \"b\": {\n    \"long\": \"" + std::string(90, 'x') +
                            "\"\n  },\n  \"c\": []\n}\n");
  CHECK(Json::parse(pretty(json)) == json);
}

TEST_CASE("A duplicate key is refused, in whatever object", "[field]") {
  CHECK_THROWS_WITH(parse_json(R"({"a": {"b": 1, "c": [{"d": 1, "d": 2}]}})", "r.json"),
                    "r.json: duplicate key 'a.c.d'");
  CHECK_NOTHROW(parse_json(R"([{"a": 1}, {"a": {"a": 2}}])", "r.json"));
}

TEST_CASE("A long way to a duplicate key is shown from its end", "[field]") {
  const std::string name(100, 'x');
  const auto text = fmt::format(R"({{"{0}": {{"{0}": {{"end": 1, "end": 2}}}}}})", name);
  CHECK_THROWS_WITH(parse_json(text, "r.json"),
                    "r.json: duplicate key '... " + name.substr(0, 15) + "." + name + ".end'");
}

TEST_CASE("A message does not end at a character 0 of what it repeats", "[field]") {
  const auto json = parse_json(R"({"a\u0000b": 1})", "r.json");
  CHECK_THROWS_WITH(Field(json, "r.json").members().front().second.text(),
                    "r.json.a?b: expected a string, not number");
}

TEST_CASE("An object of more than a thousand members is refused", "[field]") {
  const auto members = [](int n) {
    std::string text = "{";
    for (int i = 0; i < n; ++i) text += fmt::format("{}\"{}\": 0", i == 0 ? "" : ",", i);
    return text.append("}");
  };
  CHECK_NOTHROW(parse_json(members(1000), "r.json"));
  CHECK_THROWS_WITH(parse_json(members(1001), "r.json"), "r.json: an object has more than 1000 members");
}

TEST_CASE("A document of more lists than any of ours is refused before it fills the memory", "[field]") {
  std::string text = "[";
  for (int i = 0; i < 1'000'000; ++i) text += "[],";
  CHECK_THROWS_WITH(parse_json(text + "[]]", "r.json"),
                    "r.json: has more than 20000000 values or 1000000 lists");
}

TEST_CASE("A time or ratio must be above 0, or null", "[field]") {
  const Json json = {{"a", -1}, {"b", 0.5}, {"c", nullptr}};
  const Field root(json, "r");
  CHECK_THROWS_WITH(root["a"].positive(), "r.a: expected a number above 0");
  CHECK(root["b"].positive() == 0.5);
  CHECK(std::isnan(root["c"].positive()));
}

TEST_CASE("A document is read to 200 levels and refused beyond them, whatever its strings hold", "[field]") {
  const auto nested = [](int levels) {
    return std::string(static_cast<std::size_t>(levels), '[') + "\"]\\\"[[\"" +
           std::string(static_cast<std::size_t>(levels), ']');
  };
  CHECK_NOTHROW(parse_json(nested(200), "r.json"));
  CHECK_THROWS_WITH(parse_json(nested(201), "r.json"), "r.json: nested deeper than 200 levels");
  CHECK_THROWS_AS(parse_json(nested(100'000), "r.json"), BadInput);
}

}  // namespace
}  // namespace harness::inline support
