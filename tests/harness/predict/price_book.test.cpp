#include "harness/predict/price_book.hpp"

#include "tests/harness/predict/prices.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fmt/format.h>

namespace {

using namespace harness;
using namespace harness::predict;
using namespace harness::predict;
using Catch::Approx;

constexpr std::int64_t mib = 1 << 20;

Price priced(const Work& work, int threads = 1) {
  const auto price = example::prices(threads).price_of(work);
  REQUIRE(price);
  return *price;
}

TEST_CASE("an operator of a sort that has a row costs what stands there", "[predict]") {
  CHECK(priced({Piece::call, 0, "cat"}).middle == Approx(310e-9));
  CHECK_FALSE(example::prices().price_of({Piece::call, 0, "sort"}));
}

TEST_CASE("an operator that calls others costs a call, between the cheapest two", "[predict]") {
  const auto caller = priced({Piece::call, 0, "caller"});
  CHECK(caller.low == Approx(200e-9));
  CHECK(caller.middle == Approx(210e-9));
  CHECK(caller.high == Approx(310e-9));
}

TEST_CASE("any other operator costs as much as the cheapest to the dearest on the list", "[predict]") {
  const auto call = priced({Piece::call});
  CHECK(call.low == Approx(200e-9));
  CHECK(call.middle == Approx(300e-9));
  CHECK(call.high == Approx(400e-9));
}

TEST_CASE("a node costs what its row costs beyond the operator in it", "[predict]") {
  const auto node = priced({Piece::node});
  CHECK(node.low == Approx(690e-9));
  CHECK(node.middle == Approx(1000e-9));
  CHECK(node.high == Approx(1310e-9));
}

TEST_CASE("bytes read and written cost as a copy of half of them, at most as if from memory", "[predict]") {
  const auto moved = priced({Piece::bytes, 2 * mib});
  CHECK(moved.low == Approx(90e-6));
  CHECK(moved.middle == Approx(100e-6));
  CHECK(moved.high == Approx(13.6e-3 / 64));
}

TEST_CASE("fewer bytes than the smallest size cost in proportion", "[predict]") {
  CHECK(priced({Piece::bytes, mib / 512}).middle == Approx(100e-6 / 1024));
}

TEST_CASE("a size between two lies on the line through them where both axes are logarithmic", "[predict]") {
  // 8 MiB is halfway from 1 to 64 MiB, so the time is the geometric mean.
  CHECK(priced({Piece::bytes, 16 * mib}).middle == Approx(std::sqrt(100e-6 * 12.8e-3)));
}

TEST_CASE("threads can share the bytes of a large operator, not those of a small one", "[predict]") {
  CHECK(priced({Piece::bytes, 2 * mib}, 3).low == Approx(30e-6));
  CHECK(priced({Piece::bytes, mib / 16}, 3).low == Approx(90e-6 / 32));
}

TEST_CASE("a product costs its FLOP at the rate of the nearest size", "[predict]") {
  CHECK(priced({Piece::product, 4'000'000, "fp32"}).middle == Approx(40e-6));
}

TEST_CASE("a page fault costs what fresh pages cost beyond kept ones", "[predict]") {
  CHECK(priced({Piece::page_fault}).middle == Approx(1e-6));
}

TEST_CASE("a wait may cost what either way to wake costs", "[predict]") {
  const auto wait = priced({Piece::wait});
  CHECK(wait.low == Approx(30e-6));
  CHECK(wait.middle == Approx(40e-6));
  CHECK(wait.high == Approx(60e-6));
}

TEST_CASE("an exchange costs as an all-reduce of its size among as many ranks", "[predict]") {
  CHECK(priced({Piece::exchange, mib, "gloo/ranks:2"}).middle == Approx(1e-3));
  // 4 MiB lies halfway from 1 to 16 MiB.
  CHECK(priced({Piece::exchange, 4 * mib, "gloo/ranks:2"}).middle == Approx(4e-3));
  CHECK_FALSE(example::prices().price_of({Piece::exchange, mib, "gloo/ranks:4"}));
}

TEST_CASE("what has no row has no price", "[predict]") {
  CHECK_FALSE(example::prices().price_of({Piece::product, 100, "fp64"}));
  CHECK_FALSE(example::prices().price_of({Piece::launch}));
}

Json list(std::string_view rows, std::string_view context = R"("fingerprint": "sha256:1", "threads": "2")") {
  return Json::parse(
      fmt::format(R"({{"context": {{"date": "today", {}}}, "benchmarks": [{}]}})", context, rows));
}

std::string repeated(int times, std::string_view more = "") {
  std::string rows;
  for (int i = 0; i < times; ++i)
    rows += fmt::format(R"({}{{"name": "a/real_time", "run_name": "a/real_time", "run_type": "iteration",
                             "real_time": {}, "time_unit": "us"{}}})",
                        i == 0 ? "" : ",", i + 1, more);
  return rows;
}

TEST_CASE("the list is read from what Google Benchmark writes", "[predict]") {
  const auto rows = repeated(5);
  const auto book = price_book_from(
      list(R"({"name": "m", "run_type": "aggregate", "real_time": 1, "time_unit": "us"},)" + rows), "p.json");
  CHECK(book.origin().fingerprint == "sha256:1");
  CHECK(book.origin().threads == 2);
}

std::string refused(const Json& json) {
  try {
    price_book_from(json, "p.json");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "read";
}

TEST_CASE("four repetitions give no interval of nine in ten, and are refused", "[predict]") {
  CHECK(refused(list(repeated(4))) ==
        "p.json: a was measured 4 times, but an interval needs 5 (--benchmark_repetitions=5)");
}

TEST_CASE("rows that failed are no prices", "[predict]") {
  CHECK(refused(list(repeated(4, R"(, "error_occurred": true)"))) == "read");
}

TEST_CASE("a list that does not say where it was taken is refused", "[predict]") {
  CHECK(refused(list(repeated(5), R"("cuda": "none")")).starts_with("p.json.context: the file does not say"));
}

TEST_CASE("another document is no price list", "[predict]") {
  CHECK(refused(Json::parse(R"({"tuneproof": {}})")).starts_with("p.json: this is not a price list"));
}

TEST_CASE("a unit that is none, or a time below 0, is named with its place", "[predict]") {
  auto rows = list(repeated(5));
  rows["benchmarks"][2]["time_unit"] = "fortnights";
  CHECK(refused(rows) == "p.json.benchmarks[2].time_unit: 'fortnights' is not a unit of time");
  rows["benchmarks"][2]["time_unit"] = "us";
  rows["benchmarks"][2]["real_time"] = -1;
  CHECK(refused(rows).starts_with("p.json.benchmarks[2].real_time: "));
}

}  // namespace
