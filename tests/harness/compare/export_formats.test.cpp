#include "harness/compare/export_formats.hpp"

#include "tests/harness/compare/example.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace harness;
using namespace harness::compare;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("bmf has one latency per form with the interval of its median", "[exports]") {
  const auto json = Json::parse(bmf_text(example::run(example::results({{}}))));
  CHECK(json.size() == 2);
  const auto& latency = json["sync/a/device:cpu/variant:optimized"]["latency"];
  CHECK(latency["value"].get<double>() == Catch::Approx(5e5));
  CHECK(latency["lower_value"].get<double>() == Catch::Approx(4.995e5));
  CHECK(latency["upper_value"].get<double>() == Catch::Approx(5.005e5));
}

TEST_CASE("gha is a list of name, unit, value, range and extra", "[exports]") {
  const auto json = Json::parse(gha_text(example::run(example::results({{}}))));
  REQUIRE(json.size() == 2);
  CHECK(json[0]["name"] == "sync/a/device:cpu/variant:naive");
  CHECK(json[0]["unit"] == "ns");
  CHECK(json[0]["range"] == "1000");
  CHECK(json[0]["extra"] == "naive -> optimized: -50.0 % faster, 14 units");
}

TEST_CASE("each export has the number of the row's own table, in its interval", "[exports]") {
  auto json = example::results({{}});
  json["tuneproof"]["pairs"][0]["result"]["ratio"] = 0.51;  // of the rounds, not of the two medians
  const auto run = example::run(json);
  const auto bmf = Json::parse(bmf_text(run))["sync/a/device:cpu/variant:optimized"]["latency"];
  CHECK(bmf["value"].get<double>() == Catch::Approx(5.1e5));
  CHECK(bmf["lower_value"].get<double>() == Catch::Approx(4.995e5));
  CHECK(bmf["upper_value"].get<double>() == Catch::Approx(5.1e5));
  CHECK(Json::parse(gha_text(run))[1]["value"].get<double>() == Catch::Approx(5.1e5));
  CHECK_THAT(csv_text(run), ContainsSubstring(",1000000,510000,0.51,"));
}

TEST_CASE("without enough units a latency has no bounds", "[exports]") {
  const auto json = Json::parse(bmf_text(example::run(example::results({{.units = 5}}))));
  CHECK_FALSE(json["sync/a/device:cpu/variant:naive"]["latency"].contains("lower_value"));
}

TEST_CASE("a command that is slower fails in the JUnit of its file, and an undecided one alone is red",
          "[exports]") {
  const auto junit = [](const char* id, const char* verdict) {
    auto json = example::results({{.id = id}});
    json["tuneproof"]["pairs"][0]["result"]["verdict"] = verdict;
    return run_report(example::run(json));
  };
  CHECK(junit("versus/wall/command:b", "hurts").rows.at(0).fate == Fate::failure);
  CHECK(junit("versus/wall/command:b", "no_effect").rows.at(0).fate == Fate::pass);
  CHECK(junit("sync/a/device:cpu", "hurts").rows.at(0).fate == Fate::pass);  // a tip that does not pay
  auto json = example::results({{.id = "versus/wall/command:b"}});
  json["tuneproof"]["pairs"][0]["result"]["verdict"] = "inconclusive";
  CHECK_THAT(junit_export(example::run(json)), ContainsSubstring("errors=\"1\""));
}

TEST_CASE("a row that a figure decides has both sides' figures and their unit in each export", "[exports]") {
  auto json = example::results({{.naive_ns = 4e9, .optimized_ns = 2e9}});
  auto& pair = json["tuneproof"]["pairs"][0];
  pair["metric"] = "first_figure";
  pair["figures"] = {{{"name", "peak memory"}, {"unit", "MiB"}, {"naive", 4.0}, {"optimized", 2.0}}};
  const auto run = example::run(json);
  CHECK_THAT(csv_text(run), ContainsSubstring(",less,,,0.5,,,14,4,2,MiB\n"));
  CHECK(Json::parse(bmf_text(run))["sync/a/device:cpu/variant:naive"]["peak memory"]["value"] == 4);
  CHECK(Json::parse(gha_text(run))[1]["unit"] == "MiB");
  CHECK_THAT(markdown_text(run_report(run)), ContainsSubstring("| 4 MiB | 2 MiB |"));
}

TEST_CASE("JUnit skips what cannot tell, and says how many of its skipped those are", "[exports]") {
  auto json = example::results({{}, {.id = "sync/b/device:cpu", .operators = 90}});
  json["tuneproof"]["pairs"][1]["result"]["verdict"] = "inconclusive";  // though its counts tell
  json["tuneproof"]["errors"].push_back(example::error("a", "skipped", "no CUDA device"));
  const auto text = junit_export(example::run(json));
  CHECK_THAT(text, ContainsSubstring("tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"2\""));
  CHECK_THAT(text, ContainsSubstring("3 rows: 1 faster, 1 cannot tell, 1 skipped"));
  CHECK_THAT(text, ContainsSubstring("JUnit's skipped: 1 cannot tell, 1 not measured"));
}

TEST_CASE("Markdown has times, the published figure and what a flag means", "[exports]") {
  auto json = example::results({{}});
  auto& pair = json["tuneproof"]["pairs"][0];
  pair["published"] = "2 -> 1 s";
  pair["result"]["flags"] = {"carryover"};
  const auto text = markdown_text(run_report(example::run(json)));
  CHECK_THAT(text, ContainsSubstring("| verdict | notes |\n"));
  CHECK_THAT(text, ContainsSubstring("| 1.00 ms | 500 us |"));
  CHECK_THAT(text, ContainsSubstring("published: 2 -\\> 1 s |\n"));
  CHECK_THAT(text, ContainsSubstring("\n- carryover: one side suffers more than the other"));
}

TEST_CASE("csv quotes what must be quoted and runs no formula", "[exports]") {
  const auto text = csv_text(example::run(example::results({{.id = "=1+1,\"x\"/a"}})));
  CHECK_THAT(text, ContainsSubstring(",\"'=1+1,\"\"x\"\"/a\",faster,1000000,500000,0.5,,,14,,,\n"));
}

TEST_CASE("csv has the words of the table, and no change of a row without a round", "[exports]") {
  auto run = example::run(example::results({{}}));
  run.rows[0].judged.verdict = Verdict::inconclusive;
  run.rows[0].measured.log_ratios.clear();
  run.rows[0].judged.ratio_interval.reset();
  CHECK_THAT(csv_text(run), ContainsSubstring(",cannot tell,1000000,500000,,,,0,,,\n"));
}

TEST_CASE("csv moves no cursor", "[exports]") {
  auto run = example::run(example::results({{}}));
  run.session.commit = "a\x1b[2J";
  CHECK_THAT(csv_text(run), ContainsSubstring(",a?[2J,"));
}

TEST_CASE("a row that was not measured is in no export of numbers, and an error for CI", "[exports]") {
  auto json = example::results({});
  json["tuneproof"]["errors"].push_back(example::error("a", "failed", "crash"));
  const auto run = example::run(json);
  CHECK(bmf_text(run) == "{}\n");
  CHECK(gha_text(run) == "[]\n");
  CHECK(run_report(run).rows.at(0).fate == Fate::error);
}
