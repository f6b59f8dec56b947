#include "harness/pages/run_data.hpp"

#include "tests/harness/compare/example.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

using namespace harness;
using namespace harness::compare;
using namespace harness::pages;
using Catch::Matchers::WithinRel;

namespace {

Json page_row(const std::function<void(Json&)>& change = {}) {
  auto json = example::results({{}});
  if (change) change(json["tuneproof"]["pairs"][0]);
  return run_data(example::run(json))["rows"][0];
}

}  // namespace

TEST_CASE("a row keeps its ratio, its times and one value a round", "[page]") {
  const auto row = page_row();
  CHECK(row["verdict"] == "helps");
  CHECK(row["word"] == "faster");
  CHECK(row["by"] == "time");
  CHECK(row["sides"] == Json({"naive", "optimized"}));
  CHECK(row["ratio"] == 0.5);
  CHECK(row["naive"] == 0.001);
  CHECK(row["logs"] == Json(std::vector<int>(14, -6931)));
  CHECK(row["naive_rounds"].size() == 14);
  CHECK(row["naive_rounds"][0] == -10);  // 0.1 % faster than the median
}

TEST_CASE("the interval of a form's median is that of its rounds", "[page]") {
  const auto ends = page_row()["optimized_ci"];
  CHECK_THAT(ends[0].get<double>(), WithinRel(0.0004995, 1e-6));
  CHECK_THAT(ends[1].get<double>(), WithinRel(0.0005005, 1e-6));
}

TEST_CASE("a row says which device it ran on, and what was expected and published", "[page]") {
  const auto row = page_row([](Json& pair) {
    pair["device"] = "cuda:0";
    pair["expected"] = "helps";
    pair["published"] = "20 -> 2 s/epoch (A30)";
    pair["at"] = {{{"axis", "unit"}, {"value", 0}, {"text", "epoch"}}};
  });
  CHECK(row["device"] == "cuda:0");
  CHECK(row["expected"] == "faster");
  CHECK(row["published_pairs"][0]["ratio"] == 0.1);
  CHECK(row["at"]["unit"] == "epoch");
}

TEST_CASE("the page names the largest gain of each step, and whole ladders apart", "[page]") {
  const auto run = run_data(example::run(example::results({{.id = "a/b/n:1", .optimized_ns = 5e5},
                                                           {.id = "a/b/n:2", .optimized_ns = 4e5},
                                                           {.id = "s/best_form/n:1", .optimized_ns = 1e5}})));
  CHECK(run["gains"] == Json(std::vector{"a/b/n:2"}));
  CHECK(run["ladders"] == Json(std::vector{"s/best_form/n:1"}));
}

TEST_CASE("the page has the run's remarks in the words of its summary", "[page]") {
  auto json = example::results({{}, {.id = "sync/b/device:cpu"}});
  auto& result = json["tuneproof"]["pairs"][1]["result"];
  result["verdict"] = "inconclusive";
  result["flags"] = {"too noisy"};
  const auto run = run_data(example::run(json));
  REQUIRE(run["remarks"].size() == 2);
  CHECK(run["remarks"][0].get<std::string>().starts_with(
      "No row contradicts its source; of 1 decided, 1 has "));
  CHECK(
      run["remarks"][1].get<std::string>().starts_with("Cannot tell: 1 row (too noisy): sync/b/device:cpu."));
  for (const auto& remark : run["remarks"])
    CHECK(std::ranges::find(run["summary"], remark) != run["summary"].end());
}

TEST_CASE("a skipped row has its reason and no figures", "[page]") {
  auto json = example::results({{}});
  json["tuneproof"]["errors"].push_back(example::error("sync/b", "skipped", "no CUDA device"));
  const auto row = run_data(example::run(json))["rows"][1];
  CHECK(row["reason"] == "no CUDA device");
  CHECK(row["device"] == "cuda:0");
  CHECK_FALSE(row.contains("ratio"));
}

TEST_CASE("a row that is not judged by its time has its figure of both sides, in its unit", "[page]") {
  const auto row = page_row([](Json& pair) {
    pair["metric"] = "first_figure";
    pair["figures"] = {{{"name", "peak memory"}, {"unit", "MiB"}, {"naive", 4.0}, {"optimized", 2.0}}};
    pair["result"]["naive_ns"] = 4e9;
  });
  CHECK(row["unit"] == "MiB");
  CHECK(row["naive"] == 4);
  CHECK(row["optimized"] == 2);
  CHECK(page_row([](Json& pair) { pair["metric"] = "p99_over_median"; })["unit"] == "x");
  CHECK_FALSE(page_row().contains("unit"));
}

TEST_CASE("the rate of two commands is what they printed, round by round", "[page]") {
  auto run = example::run(example::results({{.id = "versus/rate/command:b"}}));
  run.rows[0].measured.statistic = Statistic::figure;
  const auto row = run_data(run)["rows"][0];
  CHECK(row["naive"] == 1000);  // the file has the inverse
  CHECK(row["ratio"] == 2);
  CHECK(row["logs"] == Json(std::vector<int>(14, 6931)));
  CHECK(row["naive_rounds"][0] == 10);
}

TEST_CASE("a change keeps all its digits, so that the page rounds it as the terminal does", "[page]") {
  const auto row = page_row([](Json& pair) {
    pair["result"]["ratio"] = 0.9964998462278476;  // -0.4 %; of six digits -0.3 %
    pair["result"]["ratio_ci"] = {0.9954998462278476, 1.0004998462278476};
  });
  CHECK(row["ratio"] == 0.9964998462278476);
  CHECK(row["ratio_ci"] == Json({0.9954998462278476, 1.0004998462278476}));
}

TEST_CASE("the second side's time is the first side's and the change, in table and chart alike", "[page]") {
  const auto row = page_row([](Json& pair) { pair["result"]["ratio"] = 0.6; });
  CHECK_THAT(row["optimized"].get<double>(), WithinRel(0.0006, 1e-6));
}

TEST_CASE("the page says what disturbed the run in the terminal's words", "[page]") {
  auto run = example::run(example::results({{}}));
  run.rounds = {{.seconds = 1, .disturbance = {}, .other_cpu = 0.01},
                {.seconds = 1, .disturbance = {}, .other_cpu = 0.31},
                {.seconds = 2, .disturbance = {}}};
  const auto told = run_data(run)["disturbance"];
  CHECK(told["other_cpu"] == 0.16);
  CHECK(told["text"] == "Other programs took 16 % of the CPUs, and 31 % in the worst round.");
  run.rounds.clear();
  CHECK(run_data(run)["disturbance"].is_null());
  run.session.rehearsal_other_cpu = 0.62;
  CHECK(run_data(run)["disturbance"]["text"] ==
        "Other programs took 62 % of the CPUs during the rehearsal, and no round was finished.");
}

TEST_CASE("a row without a round has no change, which would be drawn as one of 0 %", "[page]") {
  auto run = example::run(example::results({{}}));
  REQUIRE(run_data(run)["rows"][0].contains("ratio"));
  run.rows[0].measured.log_ratios.clear();
  CHECK_FALSE(run_data(run)["rows"][0].contains("ratio"));
}

TEST_CASE("the folders of the files are not told", "[page]") {
  CHECK(run_data(example::run(example::results({{}}), "/home/somebody/r.json"))["file"] == "r.json");
}

TEST_CASE("two runs compared keep changes, notes and differences", "[page]") {
  const auto run = [](double nanoseconds, const char* libtorch) {
    auto json = example::results({{.optimized_ns = nanoseconds}});
    json["tuneproof"]["fingerprint"]["hard"]["software"]["libtorch"] = libtorch;
    return example::run(json);
  };
  const auto same =
      comparison_data(compare_runs(run(5e5, "2.11.0"), run(6e5, "2.11.0"), {.allow_mismatch = true}));
  CHECK(same["rows"][0]["verdict"] == "hurts");
  CHECK_THAT(same["rows"][0]["optimized"]["ratio"].get<double>(), WithinRel(1.2, 1e-5));
  CHECK(same["differences"].empty());
  const auto other =
      comparison_data(compare_runs(run(5e5, "2.10.0"), run(6e5, "2.11.0"), {.allow_mismatch = true}));
  CHECK(other["rows"][0]["verdict"] == "inconclusive");
  CHECK(other["differences"][0]["field"] == "software.libtorch");
}
