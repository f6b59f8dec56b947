#include "harness/results/results.hpp"

#include "tests/golden.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace harness::results {
namespace {

Measurement two_rounds() {
  Measurement measured;
  measured.iterations = 400;
  measured.timer = Timer::event;
  measured.bytes_moved = 4194304;
  measured.log_ratios = {-0.69, -0.7};
  measured.setup_seconds = {0.025, 0.026};
  measured.switches = {0, 3};
  for (int round = 0; round < 2; ++round)
    for (int quad = 0; quad < 2; ++quad)
      for (int slot = 0; slot < 4; ++slot) {
        const bool naive = slot == 0 || slot == 3;
        measured.samples.push_back({.round = round,
                                    .quad = quad,
                                    .slot = slot,
                                    .form = naive ? Form::naive : Form::optimized,
                                    .set = (slot + quad) % 2,
                                    .seconds = naive ? 350.125e-6 + 1e-6 * round : 175e-6,
                                    .cpu_seconds = 20e-6,
                                    .start = 0.02 * (8 * round + 4 * quad + slot)});
      }
  measured.figures = {{"error", "relative", 0.0, 1.5e-7}};
  return measured;
}

Row measured_row() {
  Row row;
  row.name = "transfer/pinned_h2d/bytes:4MiB";
  row.step = "transfer/pinned_h2d";
  row.at = {{"bytes", 4194304, "4MiB"}};
  row.device = {Device::Kind::cuda, 0};
  row.expected = Outcome::helps;
  row.published = "2.31 -> 5.77 GB/s";
  row.delta = 0.02;
  row.measured = two_rounds();
  row.judged.flags = {"only 2 of 14 rounds"};
  row.rounds = 2;
  row.judged.ratio = 0.5;
  row.judged.alpha_look = 0.01;
  row.judged.sd = 0.0074;
  row.judged.smallest_effect = 0.05;
  row.judged.hodges_lehmann = 0.5;
  row.naive_seconds = 350.625e-6;
  row.optimized_seconds = 175e-6;
  row.row_seconds = 1.5;
  return row;
}

Row unmeasured_row(const char* name, Verdict verdict, const char* stage, const char* reason) {
  Row row;
  row.name = row.step = name;
  row.delta = 0.03;
  row.judged.verdict = verdict;
  row.stage = stage;
  row.reason = reason;
  return row;
}

Results example() {
  Results results;
  results.session = {.id = "00000000-0000-4000-8000-000000000000",
                     .started = "2026-01-01T00:00:00+00:00",
                     .seed = 0xfedc'ba98'7654'3210u,
                     .data_seed = 1,
                     .suite = "quick",
                     .device = "cuda:0",
                     .threads = 8,
                     .looks = {14},
                     .alpha = 0.01,
                     .units = "fresh-process",
                     .pairs = 1,
                     .rows = {"transfer/pinned_h2d/bytes:4MiB", "sync/item", "sync/item_every_step"},
                     .options = {{"scale", "0.1"}},
                     .commit = "0123456789ab-dirty"};
  results.fingerprint.id = "sha256:00";
  results.fingerprint.hard = {{"machine", {{"cpu_model", "A CPU"}, {"gpu", nullptr}}},
                              {"software", {{"libtorch", "2.11.0"}, {"build_type", "Release"}}}};
  results.fingerprint.info = {{"host_name", "here"},
                              {"num_cpus", 16},
                              {"mhz_per_cpu", 2600.5},
                              {"cpu_scaling_enabled", false},
                              {"load_avg", {0.5}}};
  results.rounds = {
      {.round = 0,
       .start = 1.5,
       .seconds = 0.75,
       .workers = 1,
       .disturbance = {.involuntary_switches = 4,
                       .canary_seconds = {5.1e-3, 5.2e-3},
                       .gpu_canary_seconds = {1e-3, 1.1e-3},
                       .copy_canary_seconds = {0.7e-3, 0.7e-3},
                       .slowdowns = 4},
       .steal_seconds = 0.01},
      {.round = 1, .start = 2.5, .seconds = 0.5, .workers = 2, .disturbance = {}, .steal_seconds = 0}};
  results.rows = {measured_row(), unmeasured_row("sync/item", Verdict::skipped, "select", "no CUDA device"),
                  unmeasured_row("sync/item_every_step", Verdict::failed, "worker", "no result within 5m")};
  return results;
}

std::string message_of(const Json& json) {
  try {
    results_from_json(json, "r.json");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

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

TEST_CASE("The replay of a row's operators survives the file", "[results]") {
  auto results = example();
  results.rows[0].profile = RowProfile{
      .schedule = {1, 2, 3, 4},
      .forms = {},
      .figures = {},
      .replay =
          Replay{.removed_calls = 5, .added_calls = 2, .naive = {1.5}, .removed = {0.5}, .added = {0.25}}};
  const auto text = pretty(results_to_json(results));
  CHECK(pretty(results_to_json(results_from_json(parse_json(text, "r.json"), "r.json"))) == text);
  results.rows[0].profile->replay->added.clear();
  CHECK_THROWS_WITH(results_from_json(results_to_json(results), "r.json"),
                    Catch::Matchers::ContainsSubstring("expected as many times as in removed_ns"));
}

TEST_CASE("What is read back has the values that were stored", "[results]") {
  const auto read = results_from_json(results_to_json(example()), "r.json");
  REQUIRE(read.rows.size() == 3);
  const auto& row = read.rows[0];
  CHECK(row.at == measured_row().at);
  CHECK(row.device == measured_row().device);
  CHECK(row.measured.timer == Timer::event);
  REQUIRE(row.measured.samples.size() == 16);
  CHECK(row.measured.samples[1].form == Form::optimized);
  CHECK(std::abs(row.measured.samples[8].seconds - 351.125e-6) < 1e-15);
  CHECK(read.rows[1].reason == "no CUDA device");
  CHECK(read.session.seed == 0xfedc'ba98'7654'3210u);
  CHECK(read.session.options == example().session.options);
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

TEST_CASE("A file of a newer major version is refused, unknown fields are not", "[results]") {
  auto json = results_to_json(example());
  json["tuneproof"]["later"] = {1, 2};
  CHECK(message_of(json) == "accepted");
  json["tuneproof"]["schema_version"]["major"] = 2;
  CHECK(message_of(json) ==
        "r.json: tuneproof.schema_version.major: a newer tuneproof wrote this file (2; this one reads up to "
        "1)");
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

TEST_CASE("A plan and rows that do not belong together are refused", "[results]") {
  const auto with_rows = [](std::vector<std::string> names) {
    auto results = example();
    results.session.rows = std::move(names);
    return message_of(results_to_json(results));
  };
  const std::string lead = "r.json: tuneproof.session.rows: ";
  const std::string h2d = "transfer/pinned_h2d/bytes:4MiB";
  CHECK(with_rows({h2d, "sync/item"}) == lead + "'sync/item_every_step' is missing");
  CHECK(with_rows({h2d, "sync/item", "sync/item_every_step", "a/b"}) == lead + "a row has no result");
  CHECK(with_rows({h2d, h2d, "sync/item", "sync/item_every_step"}) == lead + "duplicate row '" + h2d + "'");
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

TEST_CASE("A file that is none of ours says so", "[results]") {
  CHECK(message_of(Json::array()) == "r.json: not a results file of tuneproof: it has no block 'tuneproof'");
  CHECK(message_of({{"benchmarks", Json::array()}}) ==
        "r.json: not a results file of tuneproof: it has no block 'tuneproof'");
}

TEST_CASE("A wrong value is named with its place", "[results]") {
  auto json = results_to_json(example());
  auto& pair = json["tuneproof"]["pairs"][0];
  pair["result"]["verdict"] = "perhaps";
  CHECK(message_of(json) == "r.json: tuneproof.pairs[0].result.verdict: 'perhaps' is not a verdict");
  pair["result"]["verdict"] = "helps";
  pair["samples"]["t_ns"].erase(0);
  CHECK(message_of(json) == "r.json: tuneproof.pairs[0].samples: the columns differ in length");
}

/// Every value of the document in turn, replaced by something else.
void replace_each(Json& node, const Json& by, const std::function<void()>& look) {
  for (auto& child : node) {
    const auto kept = child;
    child = by;
    look();
    child = kept;
    if (child.is_structured()) replace_each(child, by, look);
  }
}

TEST_CASE("What no run could have written is refused", "[results]") {
  const auto refused = [](const char* place, const Json& value) {
    auto json = results_to_json(example());
    json["tuneproof"][Json::json_pointer(place)] = value;
    return message_of(json);
  };
  CHECK(refused("/pairs/0/delta", -1) ==
        "r.json: tuneproof.pairs[0].delta: expected a share between 0 and 1");
  CHECK(refused("/pairs/0/delta", 1).ends_with("delta: expected a share between 0 and 1"));
  CHECK(refused("/pairs/0/iterations", 1e15).ends_with("iterations: expected a whole number, not number"));
  CHECK(refused("/session/threads", 0).ends_with("threads: expected a whole number from 1 to 1000000"));
  CHECK(refused("/session/mode", "aa").ends_with("session.mode: 'aa' is unknown"));
  CHECK(refused("/session/suite", "xx").ends_with("session.suite: 'xx' is unknown"));
  CHECK(refused("/session/alpha", 0).ends_with("alpha: expected a share between 0 and 1"));
  CHECK(refused("/schema_version/minor", "3").ends_with("minor: expected a whole number, not string"));
  CHECK(refused("/rounds/1/round", 0).ends_with("rounds: expected rounds in order from 0"));
  CHECK(refused("/rounds", Json::array()).ends_with("has more units than rounds"));
}

TEST_CASE("No wrong type anywhere makes the reader crash: it is accepted or named", "[results]") {
  auto json = results_to_json(example());
  for (const Json& by :
       {Json("x"), Json(-1), Json(1e300), Json(nullptr), Json::array(), Json::object(), Json(true)})
    replace_each(json, by, [&] {
      const auto message = message_of(json);
      CHECK((message == "accepted" || message.starts_with("r.json: ")));
    });
}

TEST_CASE("A file that is cut off is refused wherever it ends", "[results]") {
  const auto text = pretty(results_to_json(example()));
  for (std::size_t end = 0; end + 2 < text.size(); end += 97)
    CHECK_THROWS_AS(parse_json(text.substr(0, end), "r.json"), BadInput);
}

TEST_CASE("A row judged on its tail says so, and is no row of times for other readers", "[results]") {
  auto results = example();
  results.rows[0].measured.statistic = Statistic::tail;
  const auto json = results_to_json(results);
  CHECK(json["tuneproof"]["pairs"][0]["metric"] == "p99_over_median");
  CHECK(json["benchmarks"].empty());
  const auto text = pretty(json);
  CHECK(pretty(results_to_json(results_from_json(parse_json(text, "r.json"), "r.json"))) == text);
}

TEST_CASE("A row judged by its figure says so, and is no row of times for other readers", "[results]") {
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
