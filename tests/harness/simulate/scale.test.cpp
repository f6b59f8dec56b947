#include "harness/simulate/scale.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace harness;
using namespace harness::simulate;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

Scaled recorded(double scale, std::vector<Entry> entries) {
  return {scale, "x", {{{.row = "row", .forms = {{"naive", std::move(entries), {}}}}}}};
}

/// One call at 1, 2 and 4 times some size.
Recording of(const Entry& small, const Entry& middle, const Entry& large, double scale = 100) {
  return at_scale({recorded(1, {small}), recorded(2, {middle}), recorded(4, {large})}, scale);
}

const Entry& call_of(const Recording& made) { return made.rows.at(0).forms.at(0).entries.at(0); }

TEST_CASE("bytes that follow the scale are put on their line", "[simulate]") {
  const auto made = of({.bytes = 6000}, {.bytes = 11000}, {.bytes = 21000});
  CHECK(call_of(made).bytes == Approx(1000 + 5000 * 100));
  CHECK_THAT(made.rows.at(0).note, ContainsSubstring("of 1 calls are at most 0.0 % off their lines"));
}

TEST_CASE("what does not change with the scale stays as it is", "[simulate]") {
  CHECK(call_of(of({.bytes = 8}, {.bytes = 8}, {.bytes = 8})).bytes == Approx(8));
}

TEST_CASE("work on all pairs grows with the square", "[simulate]") {
  CHECK(call_of(of({.flop = 1e6}, {.flop = 4e6}, {.flop = 16e6})).flop == Approx(1e10));
}

TEST_CASE("blocks follow their line, and stay where they do not change", "[simulate]") {
  CHECK(call_of(of({.blocks = 3}, {.blocks = 5}, {.blocks = 9})).blocks == 201);
  CHECK(call_of(of({.bytes = 1e5, .blocks = 64}, {.bytes = 2e5, .blocks = 64}, {.bytes = 4e5, .blocks = 64}))
            .blocks == 64);
  CHECK(call_of(of({.bytes = 1e5}, {.bytes = 2e5}, {.bytes = 4e5})).blocks == 0);
}

TEST_CASE("blocks grow with the work where the small recordings have one block", "[simulate]") {
  const auto blocks = [](double bytes, int largest) {
    return call_of(of({.bytes = bytes, .blocks = 1}, {.bytes = 2 * bytes, .blocks = 1},
                      {.bytes = 4 * bytes, .blocks = largest}))
        .blocks;
  };
  CHECK(blocks(1000, 1) == 25);
  CHECK(blocks(1000, 2) == 50);
  CHECK(call_of(of({.bytes = 8, .blocks = 1}, {.bytes = 8, .blocks = 1}, {.bytes = 8, .blocks = 1})).blocks ==
        1);
}

TEST_CASE("a row says how it was recorded, and its worst distance from a line", "[simulate]") {
  const auto made = of({.bytes = 100000}, {.bytes = 200000}, {.bytes = 404000});  // 4000 of 404000
  CHECK_THAT(made.rows.at(0).note, ContainsSubstring("recorded at the scales x, x, x"));
  CHECK_THAT(made.rows.at(0).note, ContainsSubstring("at most 1.0 % off"));
}

TEST_CASE("numbers on no line give the row a reason, with the call's name", "[simulate]") {
  const auto made =
      of({.name = "sort", .bytes = 1e5}, {.name = "sort", .bytes = 2e5}, {.name = "sort", .bytes = 9e5});
  CHECK(made.rows.at(0).forms.empty());
  CHECK_THAT(made.rows.at(0).reason, ContainsSubstring("'sort' has"));
}

TEST_CASE("calls of one name that are rounded each, but not together, are kept", "[simulate]") {
  const auto at = [](double scale, double first, double second) {
    return recorded(scale, {{.name = "search", .flop = first}, {.name = "search", .flop = second}});
  };
  const auto made = at_scale({at(1, 1.1e5, 0.9e5), at(2, 1.9e5, 2.1e5), at(4, 4.2e5, 3.8e5)}, 100);
  CHECK_THAT(made.rows.at(0).note, ContainsSubstring("2 of them only together"));
  const auto& calls = made.rows.at(0).forms.at(0).entries;
  CHECK(calls.at(0).flop + calls.at(1).flop == Approx(2e7));
}

TEST_CASE("a row whose calls differ between the scales has a reason", "[simulate]") {
  CHECK_THAT(of({.name = "a"}, {.name = "a"}, {.name = "b"}).rows.at(0).reason,
             ContainsSubstring("'a' is 'b'"));
  const auto longer = at_scale({recorded(1, {{}}), recorded(2, {{}}), recorded(4, {{}, {}})}, 8);
  CHECK_THAT(longer.rows.at(0).reason, ContainsSubstring("makes 1 calls at one scale and 2 at another"));
}

TEST_CASE("a row that was not recorded at some scale keeps that reason", "[simulate]") {
  auto none = recorded(4, {});
  none.recording.rows.at(0).reason = "not recorded: too large";
  const auto made = at_scale({recorded(1, {{}}), recorded(2, {{}}), none}, 8);
  CHECK(made.rows.at(0).reason == "not recorded: too large");
}

TEST_CASE("nodes of a graph follow the scale too", "[simulate]") {
  const auto graph = [](double bytes) {
    return Entry{.does = Entry::Does::graph, .nodes = {{.bytes = bytes}}};
  };
  CHECK(call_of(of(graph(1e4), graph(2e4), graph(4e4))).nodes.at(0).bytes == Approx(1e6));
}

TEST_CASE("scales are numbers or fractions, three of them, each above the one before", "[simulate]") {
  const auto scales = parse_scales("1/32,1/16,0.125");
  REQUIRE(scales.size() == 3);
  CHECK(scales[0].scale == Approx(1.0 / 32));
  CHECK(scales[2].text == "0.125");
  for (const auto* wrong : {"1/32,1/16", "1/16,1/32,1/8", "1/0,1,2", "a,b,c", "", "1/32,,1/8"})
    CHECK_THROWS_AS(parse_scales(wrong), BadInput);
}

}  // namespace
