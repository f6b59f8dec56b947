#include "harness/compare/run_file.hpp"

#include "tests/harness/compare/example.hpp"

#include "harness/compare/comparison_text.hpp"
#include "harness/core/setup.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <functional>
#include <string>

using namespace harness;
using namespace harness::compare;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

void check_refused(const std::function<void(Json&)>& spoil, const std::string& message) {
  auto json = example::results({{}, {.id = "sync/b/device:cpu"}});
  spoil(json["tuneproof"]);
  CHECK_THROWS_MATCHES(example::run(json), BadInput, MessageMatches(ContainsSubstring(message)));
}

/// A file of `versus`.
Json json_of_commands(const std::vector<std::string>& names) {
  std::vector<example::RowText> rows;
  Json options = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto number = " " + std::to_string(i + 1);
    options["command" + number] = options["name" + number] = names[i];
    options["prepare" + number] = "make " + names[i];
    if (i > 0) rows.push_back({.id = "versus/cpu/command:" + names[i]});
  }
  auto json = example::results(rows);
  json["tuneproof"]["session"]["options"] = options;
  return json;
}

}  // namespace

TEST_CASE("a results file gives each form's median of every unit", "[run_file]") {
  const auto run = example::run(example::results({{}}));
  REQUIRE(run.rows.size() == 1);
  const auto series = series_of(run.rows.front());
  CHECK(run.rows.front().judged.verdict == Verdict::helps);
  CHECK(series.naive.size() == 14);
  CHECK(series.naive.front() == Catch::Approx(std::log(0.999e-3)));
  CHECK(series.optimized.at(1) == Catch::Approx(std::log(0.5e-3)));
  CHECK(settings_of(run.session).at("--scale") == "1");
  CHECK(run.by_name() ==
        std::map<std::string_view, const results::Row*>{{"sync/a/device:cpu", &run.rows.front()}});
}

TEST_CASE("two runs need not log to the same place", "[run_file]") {
  auto json = example::results({{}});
  json["tuneproof"]["session"]["options"] = {{"log", "events"}, {"log-every", "5"}, {"scale", "1"}};
  const auto settings = settings_of(example::run(json).session);
  CHECK_FALSE(settings.contains("--log"));
  CHECK_FALSE(settings.contains("--log-every"));
  CHECK(settings.contains("--scale"));
}

TEST_CASE("a command that one of two lists lacks is a row that is missing or new, and no setting",
          "[run_file]") {
  const auto compared = [](const Json& base, const Json& current) {
    return compare_runs(example::run(base), example::run(current), {});
  };
  const auto code_of = [](const Comparison& comparison, const Demands& demands) {
    return conclusion_of(comparison_report(comparison, demands)).code;
  };
  const auto all = json_of_commands({"a", "b", "c"});
  auto fewer = json_of_commands({"a", "c"});
  const auto lost = compared(all, fewer), won = compared(fewer, all);
  CHECK(lost.differences.empty());
  CHECK(lost.warnings.empty());
  CHECK(lost.missing == std::vector<std::string>{"versus/cpu/command:b"});
  CHECK(code_of(lost, {}) == 4);
  CHECK(code_of(lost, {.allow_missing = true}) == 0);
  CHECK(won.added == lost.missing);
  CHECK(code_of(won, {}) == 0);

  using results::Difference;
  CHECK(compared(all, json_of_commands({"b", "a", "c"})).differences ==
        std::vector<Difference>{{"--name 1", "a", "b"}, {"--prepare 1", "make a", "make b"}});
  fewer["tuneproof"]["session"]["options"]["prepare 2"] = "sync";
  CHECK(compared(all, fewer).differences == std::vector<Difference>{{"--prepare of c", "make c", "sync"}});
}

TEST_CASE("the results file of the repository is read", "[run_file]") {
  const auto run = read_run_file("results/cpu-amd-epyc-2-cores/2026-11-21-9756841.json.gz");
  CHECK(run.rows.size() == 27);
  for (const auto& row : run.rows) CHECK(series_of(row).naive.size() == row.measured.log_ratios.size());
}

TEST_CASE("a unit that lacks a time is left out", "[run_file]") {
  auto json = example::results({{}});
  json["tuneproof"]["pairs"][0]["samples"]["t_ns"][2] = nullptr;
  CHECK(series_of(example::run(json).rows.front()).naive.size() == 13);
}

TEST_CASE("another program's JSON is refused", "[run_file]") {
  CHECK_THROWS_MATCHES(read_run(Json::object(), "r.json"), BadInput,
                       MessageMatches(ContainsSubstring("not a results file of tuneproof")));
  CHECK_THROWS_AS(read_run(Json::array(), "r.json"), BadInput);
}

TEST_CASE("a newer major schema is refused, a newer minor one with unknown fields is read", "[run_file]") {
  check_refused([](auto& block) { block["schema_version"]["major"] = 2; },
                "a newer tuneproof wrote this file (2;");
  auto json = example::results({{}});
  json["tuneproof"]["schema_version"]["minor"] = 7;
  json["tuneproof"]["something"] = {{"new", true}};
  CHECK_NOTHROW(example::run(json));
}

TEST_CASE("a wrong, missing or impossible field is named", "[run_file]") {
  check_refused([](auto& block) { block.erase("session"); }, "'session' is missing");
  check_refused([](auto& block) { block["pairs"] = 3; }, "tuneproof.pairs: expected an array");
  check_refused([](auto& block) { block["pairs"][1]["id"] = 3; }, "pairs[1].id: expected a string");
  check_refused([](auto& block) { block["pairs"][1]["delta"] = -3; }, "pairs[1].delta: expected a share");
  check_refused([](auto& block) { block["pairs"][0]["result"]["verdict"] = "maybe"; },
                "'maybe' is not a verdict");
  check_refused([](auto& block) { block["pairs"][0]["result"]["ratio_ci"] = {2, 1}; }, "two rising numbers");
  check_refused([](auto& block) { block["pairs"][0]["samples"]["round"].push_back(1); }, "differ in length");
  check_refused([](auto& block) { block["pairs"][0]["samples"]["round"][0] = 28; },
                "is not a round of this row");
  check_refused([](auto& block) { block["session"]["alpha"] = 0; }, "session.alpha: expected a share");
  check_refused([](auto& block) { block["session"]["started"] = "now"; },
                "session.started: expected a time like");
  check_refused([](auto& block) { block["pairs"][0]["result"]["ratio"] = -1; },
                "ratio: expected a number above 0");
  check_refused([](auto& block) { block["pairs"][0]["samples"]["t_ns"][4] = -1.0; }, "-1 is not a time");
  check_refused([](auto& block) { block["pairs"][0]["samples"]["t_ns"][4] = 1e300; }, "is not a time");
  check_refused([](auto& block) { block["pairs"][0]["round_log_ratios"][4] = 1e300; }, "is not a log ratio");
  check_refused([](auto& block) { block["fingerprint"]["hard"] = 1; }, "hard: expected an object");
  check_refused([](auto& block) { block["fingerprint"]["hard"] = Json::object(); }, "'machine' is missing");
  check_refused([](auto& block) { block["fingerprint"]["hard"]["machine"]["cpu_model"] = 3; },
                "cpu_model: expected a string");
}

TEST_CASE("two rows of one name are refused", "[run_file]") {
  check_refused([](auto& block) { block["pairs"][1]["id"] = block["pairs"][0]["id"]; },
                "duplicate row 'sync/a/device:cpu'");
}

TEST_CASE("a name that would play tricks on a terminal is refused", "[run_file]") {
  check_refused([](auto& block) { block["pairs"][0]["id"] = "a\x1b[2J"; }, "control characters");
  check_refused([](auto& block) { block["pairs"][0]["id"] = std::string(20000, 'a'); }, "1 to 16384 bytes");
}

TEST_CASE("a fingerprint of a megabyte, or with a member twice, is refused", "[run_file]") {
  check_refused([](auto& block) { block["fingerprint"]["info"]["x"] = std::string(1 << 20, 'x'); },
                "longer than 65536 bytes");
  auto text = example::results({{}}).dump();
  text.replace(text.find("\"libtorch\""), 10, "\"driver\"");
  CHECK_THROWS_MATCHES(parse_json(text, "r.json"), BadInput,
                       MessageMatches(ContainsSubstring("duplicate key '") && ContainsSubstring("driver'")));
}

TEST_CASE("a file cut short anywhere is refused in a sentence", "[run_file]") {
  const auto text = example::results({{}}).dump();
  for (std::size_t end = 0; end < text.size(); end += 97)
    CHECK_THROWS_AS(parse_json(std::string_view(text).substr(0, end), "r.json"), BadInput);
}
