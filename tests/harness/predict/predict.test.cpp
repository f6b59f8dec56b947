#include "harness/predict/predict.hpp"

#include "tests/harness/predict/prices.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;
using namespace harness::predict;
using namespace harness::results;
using namespace harness::predict;
using Catch::Approx;

Prediction predicted(Counts below, Counts above, double below_seconds) {
  return harness::predict::predict({{std::move(below), {}}, {std::move(above), {}}, below_seconds},
                                   example::prices());
}

TEST_CASE("what is removed is what the form below has more, at its price", "[predict]") {
  // 1000 calls of 300 ns are 300 us: the prices explain all of it, and 400 calls are 120 us.
  const auto prediction = predicted({{{Piece::call}, 1000}}, {{{Piece::call}, 600}}, 300e-6);
  CHECK(prediction.reason.empty());
  CHECK(prediction.explained == Approx(1));
  CHECK(prediction.saving == Approx(120e-6));
  CHECK(prediction.interval.low == Approx(80e-6));
  CHECK(prediction.interval.high == Approx(160e-6));
  REQUIRE(prediction.removes.size() == 1);
  CHECK(prediction.removes[0].count == Approx(400));
}

TEST_CASE("where the prices explain half, each may be off by two in either direction", "[predict]") {
  const auto prediction = predicted({{{Piece::call}, 1000}}, {{{Piece::call}, 600}}, 600e-6);
  CHECK(prediction.explained == Approx(0.5));
  CHECK(prediction.saving == Approx((120e-6 + 240e-6) / 2));
  CHECK(prediction.interval.low == Approx(40e-6));
  CHECK(prediction.interval.high == Approx(320e-6));
}

TEST_CASE("where the prices explain twice the time, likewise", "[predict]") {
  const auto prediction = predicted({{{Piece::call}, 1000}}, {{{Piece::call}, 600}}, 150e-6);
  CHECK(prediction.explained == Approx(2));
  CHECK(prediction.interval.low == Approx(40e-6));
  CHECK(prediction.interval.high == Approx(150e-6));  // 160 us, but no more than there is can be saved
}

TEST_CASE("work that is added costs, and its dear end is the low end of what is saved", "[predict]") {
  const auto prediction = predicted({{{Piece::call}, 1000}}, {{{Piece::call}, 1100}}, 300e-6);
  CHECK(prediction.saving == Approx(-30e-6));
  CHECK(prediction.interval.low == Approx(-40e-6));
  CHECK(prediction.interval.high == Approx(-20e-6));
}

TEST_CASE("kinds of work add up, the one that weighs most first", "[predict]") {
  const auto prediction =
      predicted({{{Piece::call}, 1000}, {{Piece::item}, 100}}, {{{Piece::call}, 1010}}, 305e-6);
  REQUIRE(prediction.removes.size() == 2);
  CHECK(prediction.removes[0].what == "numbers brought to the host");
  CHECK(prediction.removes[0].seconds == Approx(5e-6));
  CHECK(prediction.removes[1].seconds == Approx(-3e-6));
  CHECK(prediction.saving == Approx(2e-6));
}

TEST_CASE("errors of what is removed and of what is added do not cancel", "[predict]") {
  // Half of the time is explained: 4 to 6 us less may be 2 to 12 us, 2 to 4 us more may be 1 to 8 us.
  const auto prediction =
      predicted({{{Piece::call}, 1000}, {{Piece::item}, 100}}, {{{Piece::call}, 1010}}, 610e-6);
  CHECK(prediction.saving == Approx((2e-6 + 4e-6) / 2));
  CHECK(prediction.interval.low == Approx(2e-6 - 8e-6));
  CHECK(prediction.interval.high == Approx(12e-6 - 1e-6));
}

TEST_CASE("what was hidden is told, and not counted as saved", "[predict]") {
  const auto prediction = harness::predict::predict(
      {{{{{Piece::call}, 1000}}, {{{Piece::item}, 40}}}, {{{{Piece::call}, 900}}, {}}, 300e-6},
      example::prices());
  CHECK(prediction.hidden == Approx(2e-6));
  CHECK(prediction.saving == Approx(30e-6));
}

TEST_CASE("the time in which the device computes is not for the prices to explain", "[predict]") {
  const auto prediction = harness::predict::predict(
      {{{{{Piece::call}, 1000}}, {}, 200e-6}, {{{{Piece::call}, 900}}, {}, 200e-6}, 500e-6},
      example::prices());
  CHECK(prediction.explained == Approx(1));
}

Prediction replayed(Counts below, Counts above, double below_seconds, Replay replay) {
  Before before{{std::move(below), {}}, {std::move(above), {}}, below_seconds};
  before.replay = std::move(replay);
  return harness::predict::predict(before, example::prices());
}

const Replay three_turns{.removed_calls = 5,
                         .added_calls = 2,
                         .naive = {98e-6, 100e-6, 130e-6},
                         .removed = {38e-6, 40e-6, 52e-6},
                         .added = {9e-6, 10e-6, 12e-6}};

TEST_CASE("operators that were run again count with their own times, and not with prices", "[predict]") {
  const auto prediction =
      replayed({{{Piece::call}, 1000}, {{Piece::page_fault}, 9}}, {}, 100e-6, three_turns);
  CHECK(prediction.saving == Approx(30e-6));
  CHECK(prediction.interval.low == Approx(38e-6 - 12e-6));
  CHECK(prediction.interval.high == Approx(52e-6 - 9e-6));
  CHECK(prediction.explained == Approx(1));
  REQUIRE(prediction.removes.size() == 2);
  CHECK(prediction.removes[0].what == "operators run again");
  CHECK(prediction.removes[0].count == 5);
  CHECK(prediction.removes[0].seconds == Approx(40e-6));
  CHECK(prediction.removes[1].count == -2);
  CHECK(prediction.removes[1].seconds == Approx(-10e-6));
}

TEST_CASE("operators that take twice as long within the form are scaled to it", "[predict]") {
  const auto prediction = replayed({}, {}, 200e-6, three_turns);
  CHECK(prediction.explained == Approx(0.5));
  CHECK(prediction.saving == Approx((40e-6 - 10e-6) / 0.5));
  CHECK(prediction.interval.low == Approx((38e-6 - 12e-6) / 0.5));
  CHECK(prediction.interval.high == Approx((52e-6 - 9e-6) / 0.5));
}

TEST_CASE("what no operator does keeps its price beside operators that were run again", "[predict]") {
  // 10 nodes of 1 us, and operators that take 100 us: all of the form's 110 us.
  const auto prediction = replayed({{{Piece::node}, 10}}, {{{Piece::node}, 0}}, 110e-6, three_turns);
  CHECK(prediction.explained == Approx(1));
  CHECK(prediction.saving == Approx(30e-6 + 10e-6));
}

TEST_CASE("where operators could not be run again, prices are the prediction", "[predict]") {
  const auto prediction = replayed({{{Piece::call}, 1000}}, {{{Piece::call}, 600}}, 300e-6,
                                   {.reason = "aten::resize_ cannot be run again by itself"});
  CHECK(prediction.saving == Approx(120e-6));
}

TEST_CASE("forms that call the same operators are no prediction", "[predict]") {
  const Replay same{.naive = {1e-6}, .removed = {0}, .added = {0}};
  CHECK(replayed({{{Piece::call}, 10}}, {{{Piece::call}, 9}}, 1e-6, same).reason ==
        "the forms do not differ in anything that is counted");
}

TEST_CASE("equal counts are no prediction of no effect", "[predict]") {
  const auto prediction = predicted({{{Piece::call}, 10}}, {{{Piece::call}, 10}}, 3e-6);
  CHECK(prediction.reason == "the forms do not differ in anything that is counted");
}

TEST_CASE("what compiled code would take is not predicted", "[predict]") {
  CHECK(replayed({{{Piece::call}, 10}}, {{{Piece::package}, 1}}, 100e-6, three_turns).reason ==
        "compiled code cannot be priced here");
}

TEST_CASE("work without a price is no prediction", "[predict]") {
  const auto prediction =
      predicted({{{Piece::product, 1000, "fp64"}, 1}, {{Piece::call}, 10}}, {{{Piece::call}, 10}}, 3e-6);
  CHECK(prediction.reason == "FLOP of products in fp64 cannot be priced here");
}

TEST_CASE("a form below whose time the prices do not describe is no ground for a prediction", "[predict]") {
  const auto prediction = predicted({{{Piece::call}, 100}}, {{{Piece::call}, 50}}, 1e-3);
  CHECK(prediction.reason ==
        "the counted work is worth 3 % of the time that the form below takes, so the price list does not "
        "describe it");
  CHECK(prediction.explained == Approx(0.03));
  CHECK(prediction.saving == 0);
  CHECK_FALSE(predicted({{{Piece::call}, 1000}}, {{{Piece::call}, 500}}, 99e-6).reason.empty());
}

}  // namespace
