#include "harness/pages/measured_here.hpp"

#include "tests/harness/catalogue/made_up_catalogue.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include <filesystem>
#include <fstream>
#include <limits>
#include <unistd.h>

using namespace harness;
using namespace harness::catalogue;
using namespace harness::pages;
using Catch::Matchers::Message;

namespace {

/// A file that goes when the test does.
struct Written {
  explicit Written(std::string_view text)
      : path(std::filesystem::temp_directory_path() / ("prices-test-" + std::to_string(getpid()) + ".json")) {
    std::ofstream(path) << text;
  }
  ~Written() { std::filesystem::remove(path); }
  std::filesystem::path path;
};

constexpr auto file = R"({"context": {"date": "today", "host_name": "here"}, "benchmarks": [
  {"name": "prices/memcpy/bytes:1KiB/real_time", "real_time": 2.5, "time_unit": "us", "bytes_per_second": 4e8},
  {"name": "prices/copy/d2d/bytes:1KiB/manual_time", "real_time": 1, "time_unit": "us",
   "error_occurred": true, "error_message": "skipped: no device"},
  {"name": "prices/thread/start/real_time_mean", "run_type": "aggregate", "real_time": 1, "time_unit": "us"},
  {"name": "prices/memcpy/bytes:1KiB/real_time", "real_time": 2.7, "time_unit": "us", "bytes_per_second": 3e8},
  {"name": "other", "real_time": 1, "time_unit": "us"},
  {"name": "prices/thread/start/real_time", "real_time": 30, "time_unit": "us"}]})";

LastResult result(std::string row, std::string started) {
  LastResult made;
  made.row = std::move(row);
  made.started = std::move(started);
  return made;
}

}  // namespace

TEST_CASE("of a price list only what was measured is read", "[prices]") {
  const Written written(file);
  const auto prices = read_shown_prices(written.path);
  REQUIRE(prices.rows.size() == 2);
  CHECK(prices.rows[0].name == "memcpy/bytes:1KiB");
  CHECK(prices.rows[0].seconds == 2.5 * 1e-6);
  CHECK(prices.rows[0].bytes_per_second == 4e8);
  CHECK(prices.rows[1].name == "thread/start");
  CHECK(prices.from == written.path.string() + ", today, on here");
}

TEST_CASE("whoever quotes prices of a busy machine says so", "[prices]") {
  const auto from = [](std::string_view share) {
    std::string text(file);
    text.insert(text.find("\"date\""), share);
    const Written written(text);
    const auto prices = read_shown_prices(written.path);
    return prices.from.substr(written.path.string().size());
  };
  CHECK(from(R"("other_cpu_share": "0.62", )") ==
        ", today, on here; do not trust them: other programs took 62 % of the CPUs meanwhile");
  CHECK(from(R"("other_cpu_share": "0.02", )") == ", today, on here");
  CHECK(from(R"("other_cpu_share": "unknown", )") == ", today, on here");
}

TEST_CASE("a row of which no round gave a ratio has a reason in place of times", "[results]") {
  catalogue::Step step;
  step.id = "sync/a";
  results::Results run;
  run.fingerprint.hard = {{"machine", {{"cpu_model", "x"}}}};
  results::Row row;
  row.name = row.step = step.id;
  row.judged.verdict = Verdict::inconclusive;
  row.judged.ratio = std::numeric_limits<double>::quiet_NaN();
  row.reason = "only 0 of 10 rounds";
  run.rows = {row};
  const auto found = results_of(run, "r.json", step);
  REQUIRE(found.size() == 1);
  CHECK(found[0].ratio == 0);
  CHECK(found[0].naive.empty());
  CHECK(found[0].reason == "only 0 of 10 rounds");
}

TEST_CASE("a file that is not a price list is refused in one sentence", "[prices]") {
  const Written none(R"({"context": {}, "benchmarks": []})");
  CHECK_THROWS_MATCHES(
      read_shown_prices(none.path), BadInput,
      Message(none.path.string() + ": has no prices; write some with tuneproof prices --benchmark_out=FILE"));
  const Written other("{}");
  CHECK_THROWS_MATCHES(read_shown_prices(other.path), BadInput,
                       Message(other.path.string() + ": is not a Google Benchmark file"));
}

TEST_CASE("the prices of a step are those of the longest entry that fits its id", "[prices]") {
  const ShownPrices all{"f",
                        {{"memcpy/bytes:1KiB", 1, 0}, {"memcpy/bytes:1MiB", 2, 0}, {"thread/start", 3, 0}}};
  constexpr StepPrices table[] = {{"cpu/", "thread/start memcpy/bytes:1MiB"},
                                  {"cpu/malloc", "memcpy/*"},
                                  {"*/tf32", "thread/start"},
                                  {"sync/", ""}};
  const auto names = [&](std::string_view step) {
    std::string joined;
    for (const auto& row : prices_bearing_on(all, table, step).rows) joined += row.name + " ";
    return joined;
  };
  CHECK(names("cpu/affinity") == "thread/start memcpy/bytes:1MiB ");
  CHECK(names("cpu/malloc") == "memcpy/bytes:1KiB memcpy/bytes:1MiB ");
  CHECK(names("gpt/tf32") == "thread/start ");
  CHECK(names("sync/item").empty());
  CHECK(names("other/step").empty());
}

TEST_CASE("what a file says of its machine is refused with the file's name", "[explain]") {
  results::Results results;
  results.file = "a.json";
  results.fingerprint.hard = {{"machine", {{"cpu_model", "A"}, {"logical_cpus", "two"}}}};
  CHECK_THROWS_MATCHES(
      machine_of(results), BadInput,
      Message("a.json: fingerprint.hard.machine.logical_cpus: expected a whole number, not string"));
}

TEST_CASE("of several results of a row the one that was started last is the last", "[explain]") {
  const auto catalogue = example::catalogue();
  const auto& step = catalogue.steps[0];
  const auto& rows = step.rows;
  const auto found = latest({result(rows[1].name, "2026-01-02"), result(rows[0].name, "2026-01-01"),
                             result(rows[1].name, "2026-01-03"), result("other", "2027")},
                            step);
  REQUIRE(found.size() == 2);
  CHECK(found[0].row == rows[0].name);
  CHECK(found[1].started == "2026-01-03");
}
