#include "harness/results/results.hpp"

#include "tests/golden.hpp"
#include "tests/harness/results/example_results.hpp"

#include "harness/results/row_json.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace harness::results {
namespace {

using namespace examples;

TEST_CASE("A results file looks as it is documented", "[results]") {
  const auto text = pretty(results_to_json(example()));
  CHECK(text == tests::golden("results.json", text));
}

TEST_CASE("A results file that is read and written again is the same text", "[results]") {
  const auto text = pretty(results_to_json(example()));
  const auto read = results_from_json(parse_json(text, "r.json"), "r.json");
  CHECK(pretty(results_to_json(read)) == text);
}

TEST_CASE("A row's profile survives the file, columns without a device included", "[results]") {
  auto results = example();
  results.rows[0].profile =
      RowProfile{.schedule = {1, 2, 3, 4},
                 .forms = {{.form = Form::optimized,
                            .runs = 12,
                            .seconds_on = 0.5,
                            .seconds_before = 0.25,
                            .seconds_after = 0.375,
                            .traces = {"profiles/a.pt.trace.json.gz"}}},
                 .figures = {{"Self CPU", "s", 0.75, 0.5, PublishedChange{54.5, 5.6, "A30"}},
                             {"Self CUDA", "s", {}, {}, PublishedChange{0, 32.0, "A30"}}}};
  const auto text = pretty(results_to_json(results));
  const auto read = results_from_json(parse_json(text, "r.json"), "r.json");
  CHECK(pretty(results_to_json(read)) == text);
  REQUIRE(read.rows[0].profile);
  CHECK(read.rows[0].profile->schedule == Schedule{1, 2, 3, 4});
  CHECK_FALSE(read.rows[0].profile->figures[1].naive);
}

TEST_CASE("What is read back has the values that were stored", "[results]") {
  const auto read = results_from_json(results_to_json(example()), "r.json");
  REQUIRE(read.rows.size() == 3);
  const auto& row = read.rows[0];
  CHECK(row.at == measured_row().at);
  CHECK(row.device == measured_row().device);
  CHECK(row.measured.timer == Timer::event);
  CHECK(row.measured.optimized_iterations == 800);
  CHECK(row.measured.calibrations == measured_row().measured.calibrations);
  REQUIRE(row.measured.samples.size() == 16);
  CHECK(row.measured.samples[1].form == Form::optimized);
  CHECK(std::abs(row.measured.samples[8].seconds - 351.125e-6) < 1e-15);
  CHECK(read.rows[1].reason == "no CUDA device");
  CHECK(read.session.seed == 0xfedc'ba98'7654'3210u);
  CHECK(read.session.options == example().session.options);
}

TEST_CASE("Every verdict has a word that is read back", "[results]") {
  auto row = measured_row();
  using enum Verdict;
  for (const auto verdict : {helps, no_effect, hurts, inconclusive, invalid, failed, skipped}) {
    row.judged.verdict = verdict;
    const auto json = row_to_json(row);
    CHECK(row_from_json(Field(json, "row")).judged.verdict == verdict);
  }
}

TEST_CASE("Google Benchmark's readers see one row per form and round, in nanoseconds", "[results]") {
  const auto rows = results_to_json(example())["benchmarks"];
  REQUIRE(rows.size() == 4);
  CHECK(rows[1]["name"] == "transfer/pinned_h2d/bytes:4MiB/variant:naive");
  CHECK(rows[1]["repetition_index"] == 1);
  CHECK(rows[1]["real_time"] == 351125.0);
  CHECK(rows[1]["time_unit"] == "ns");
}

TEST_CASE("A skipped or failed row is an error and no benchmark", "[results]") {
  auto results = example();
  results.rows.erase(results.rows.begin());
  results.session.rows.erase(results.session.rows.begin());
  const auto json = results_to_json(results);
  CHECK(json["benchmarks"].empty());
  CHECK(json["tuneproof"]["pairs"].empty());
  CHECK(json["tuneproof"]["errors"].size() == 2);
}

TEST_CASE("A number that is not finite is never written", "[results]") {
  auto results = example();
  results.rows[0].judged.sd = std::nan("");
  results.rows[0].measured.samples[0].seconds = std::numeric_limits<double>::infinity();
  const auto json = results_to_json(results);
  const auto& pair = json["tuneproof"]["pairs"][0];
  CHECK(pair["result"]["sd_round"].is_null());
  CHECK(pair["samples"]["t_ns"][0].is_null());
  CHECK(pair["result"]["flags"].back() == "not finite");
  CHECK(json["benchmarks"].size() == 3);
  CHECK(message_of(json) == "accepted");
}

TEST_CASE("Rows come back in the order of the plan, whatever became of them", "[results]") {
  auto results = example();
  std::swap(results.rows[0], results.rows[2]);
  std::swap(results.session.rows[0], results.session.rows[2]);
  const auto read = results_from_json(results_to_json(results), "r.json");
  CHECK(read.rows[0].name == "sync/item_every_step");
  CHECK(read.rows[2].name == "transfer/pinned_h2d/bytes:4MiB");
  CHECK(read.rounds.size() == 2);
}

TEST_CASE("A row that has no round yet has no numbers, and none is missing", "[results]") {
  auto results = example();
  results.rows[0].measured.log_ratios.clear();
  results.rows[0].measured.setup_seconds.clear();
  results.rows[0].measured.switches.clear();
  results.rows[0].measured.samples.clear();
  results.rows[0].rounds = 0;
  const auto json = results_to_json(results);
  CHECK(json["tuneproof"]["pairs"][0]["result"]["ratio"].is_null());
  CHECK(json["tuneproof"]["pairs"][0]["result"]["flags"].size() == 1);
  CHECK(message_of(json) == "accepted");
}

TEST_CASE("A file from before rounds is read, without what it could not have", "[results]") {
  auto json = results_to_json(example());
  auto& block = json["tuneproof"];
  block["schema_version"]["minor"] = 1;
  block.erase("rounds");
  block["session"].erase("rows");
  block["session"]["units"] = "in-process";
  block["pairs"][0].erase("round_setup_ns");
  block["pairs"][0].erase("round_switches");
  const auto read = results_from_json(json, "r.json");
  CHECK(read.session.units == "in-process");
  CHECK(read.rows.size() == 3);
  CHECK(read.rounds.empty());
}

TEST_CASE("How far off fixed work was in a row's rounds is not in the file, and known to its reader",
          "[results]") {
  auto results = example();
  for (auto& round : results.rounds)
    round.disturbance.gpu_canary_seconds = {round.round == 0 ? 1e-3 : 1.5e-3};
  const auto read = results_from_json(results_to_json(results), "r.json");
  CHECK(read.rows[0].judged.off == Catch::Approx(std::log(1.25)));  // off their middle
  CHECK(read.rows[1].judged.off == 0);
}

TEST_CASE("A row judged on its tail says so, and is not a row of times for other readers", "[results]") {
  auto results = example();
  results.rows[0].measured.statistic = Statistic::tail;
  const auto json = results_to_json(results);
  CHECK(json["tuneproof"]["pairs"][0]["metric"] == "p99_over_median");
  CHECK(json["benchmarks"].empty());
  const auto text = pretty(json);
  CHECK(pretty(results_to_json(results_from_json(parse_json(text, "r.json"), "r.json"))) == text);
}

TEST_CASE("A row judged by its figure says so, and is not a row of times for other readers", "[results]") {
  auto results = example();
  results.rows[0].measured.statistic = Statistic::figure;
  const auto json = results_to_json(results);
  CHECK(json["tuneproof"]["pairs"][0]["metric"] == "first_figure");
  CHECK(json["benchmarks"].empty());
  const auto text = pretty(json);
  CHECK(pretty(results_to_json(results_from_json(parse_json(text, "r.json"), "r.json"))) == text);
}

}  // namespace
}  // namespace harness::results
