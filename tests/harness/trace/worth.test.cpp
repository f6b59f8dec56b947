#include "harness/trace/worth.hpp"

#include "harness/core/setup.hpp"
#include "harness/results/results.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace harness::trace {
namespace {

using Catch::Matchers::ContainsSubstring;

constexpr Style wide{.columns = 200};

/// A finding of 20 ms over two judged steps that names three steps.
Diagnosis found() {
  Diagnosis diagnosis;
  diagnosis.judged_steps = 2;
  diagnosis.host_judged = true;
  diagnosis.findings.push_back({.id = "data_loader_wait",
                                .message = "",
                                .saves_us = 20'000,
                                .steps = {"a/helps", "a/hurts", "a/new"}});
  return diagnosis;
}

Worth worth(std::string row, std::string step, Verdict verdict, double ratio) {
  return {.row = std::move(row),
          .step = std::move(step),
          .started = "2026-11-21T10:00:00+00:00",
          .verdict = verdict,
          .ratio = ratio,
          .interval = {ratio - 0.01, ratio + 0.01}};
}

catalogue::Catalogue steps() {
  catalogue::Catalogue catalogue;
  for (const auto* id : {"a/helps", "a/hurts", "a/new"}) {
    catalogue::Step step;
    step.id = id;
    step.rows.push_back({.name = id, .at = {}, .device = Device::Kind::cpu, .seconds = 4});
    step.rows.push_back({.name = id, .at = {}, .device = Device::Kind::cuda, .seconds = 30});
    catalogue.steps.push_back(std::move(step));
  }
  return catalogue;
}

TEST_CASE("A tip that helped here is scaled to what the finding takes a step", "[worth]") {
  const std::vector all{worth("a/helps", "a/helps", Verdict::helps, 0.42)};
  CHECK_THAT(
      worth_section(found(), all, steps(), wide),
      ContainsSubstring("  a/helps: -58.0 % [-59.0, -57.0] here on 2026-11-21: of 10.0 ms about 5.80 ms\n"));
}

TEST_CASE("As data each measured step of a finding has its row, and what it saves if it helps", "[worth]") {
  const std::vector all{worth("a/helps/n:1", "a/helps", Verdict::helps, 0.42),
                        worth("a/hurts", "a/hurts", Verdict::hurts, 1.2)};
  const auto json = worth_json(std::vector{found()}, all);
  REQUIRE(json.size() == 2);
  CHECK(json[0]["finding"] == "data_loader_wait");
  CHECK(json[0]["row"] == "a/helps/n:1");
  CHECK(json[0]["saves_us_a_step"].get<double>() == Catch::Approx(5800));
  CHECK(json[1]["verdict"] == "hurts");
  CHECK(json[1]["saves_us_a_step"].is_null());
}

TEST_CASE("A tip that hurt here is said to hurt, and saves nothing", "[worth]") {
  const std::vector all{worth("a/hurts", "a/hurts", Verdict::hurts, 1.2)};
  CHECK_THAT(worth_section(found(), all, steps(), wide),
             ContainsSubstring("  a/hurts: +20.0 % [+19.0, +21.0] here on 2026-11-21: it hurts here\n"));
}

TEST_CASE("Steps without a result come with the command that measures them and its time", "[worth]") {
  const std::vector all{worth("a/helps", "a/helps", Verdict::helps, 0.5)};
  CHECK_THAT(worth_section(found(), all, steps(), wide),
             ContainsSubstring("not measured here: `tuneproof run a/hurts a/new --json FILE`, about 8 s\n"));
  CHECK(steps_without_worth(found(), all, steps()) == std::vector<std::string>{"a/hurts", "a/new"});
}

TEST_CASE("A step that needs a GPU is not asked for on the host", "[worth]") {
  auto catalogue = steps();
  std::erase_if(catalogue.steps.back().rows,
                [](const catalogue::Row& row) { return row.device == Device::Kind::cpu; });
  CHECK(steps_without_worth(found(), {}, catalogue) == std::vector<std::string>{"a/helps", "a/hurts"});
  CHECK_THAT(worth_section(found(), {}, catalogue, wide), !ContainsSubstring("a/new"));
}

TEST_CASE("What was measured on a device says nothing of a training on the host", "[worth]") {
  auto on_device = worth("a/helps", "a/helps", Verdict::helps, 0.5);
  on_device.on_device = true;
  CHECK(steps_without_worth(found(), std::vector{on_device}, steps()).size() == 3);
}

TEST_CASE("Of several rows the middle one of those that could tell is shown, with how far they reach",
          "[worth]") {
  const std::vector all{worth("a/helps/n:1", "a/helps", Verdict::helps, 0.9),
                        worth("a/helps/n:2", "a/helps", Verdict::helps, 0.5),
                        worth("a/helps/n:3", "a/helps", Verdict::no_effect, 1.0),
                        worth("a/helps/n:4", "a/helps", Verdict::inconclusive, 0.1)};
  CHECK_THAT(worth_section(found(), all, steps(), wide),
             ContainsSubstring("  a/helps/n:1: -10.0 %") &&
                 ContainsSubstring("the middle of 3 rows, -50.0 to +0.0 %"));
}

TEST_CASE("On a terminal of 60 columns what a tip was worth is folded", "[worth]") {
  const std::vector all{worth("a/helps", "a/helps", Verdict::helps, 0.42)};
  CHECK_THAT(worth_section(found(), all, steps(), {.columns = 60}),
             ContainsSubstring("  a/helps: -58.0 % [-59.0, -57.0] here on 2026-11-21: of\n"
                               "  10.0 ms about 5.80 ms\n"));
}

TEST_CASE("A result of another machine is marked", "[worth]") {
  auto other = worth("a/helps", "a/helps", Verdict::helps, 0.5);
  other.other_machine = true;
  CHECK_THAT(worth_section(found(), std::vector{other}, steps(), wide),
             ContainsSubstring("ON ANOTHER MACHINE"));
}

TEST_CASE("A file that holds no results is refused", "[worth]") {
  CHECK_THROWS_AS(read_worths({"no/such/file.json"}), BadInput);
}

TEST_CASE("Of several files the last measurement of each row counts, in whatever order they come",
          "[worth]") {
  const std::string earlier = "results/cpu-amd-epyc-2-cores/2026-11-21-9756841.json.gz";
  const std::string later = "results/cpu-amd-epyc-2-cores/2026-11-22-676845f.json.gz";
  const auto last = results::read_results(later);
  int compared = 0;
  for (const auto& files : {std::vector{earlier, later}, std::vector{later, earlier}}) {
    const auto all = read_worths(files);
    for (const auto& row : last.rows) {
      const auto known = std::ranges::find(all, row.name, &Worth::row);
      if (known == all.end()) continue;
      CHECK(known->started == last.session.started);
      CHECK(known->ratio == row.judged.ratio);
      ++compared;
    }
  }
  CHECK(compared > 10);
}

}  // namespace
}  // namespace harness::trace
