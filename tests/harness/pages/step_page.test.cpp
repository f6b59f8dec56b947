#include "harness/pages/step_page.hpp"

#include "tests/harness/catalogue/made_up_catalogue.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace harness;
using namespace harness::catalogue;
using namespace harness::pages;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr auto source_text =
    "// Do it.\n//\n// Question: How much?\n//\n// The device waits.\n//\n// When it does not matter: "
    "never.\n//\n"
    "// A row measures it.\n//\n// Answer: a lot.\n\n#include <x>\n\nTrial prepare(Setup&, const Point&) { "
    "return {}; }\n";
constexpr StepSource sources[] = {{"sync/item", "microbench/sync/item.cpp", source_text}};

const catalogue::Step& item(const Catalogue& catalogue) { return find_step(catalogue, "sync/item"); }

LastResult result() {
  return {.row = "sync/item/device:cpu",
          .from = "r.json",
          .started = "2026-11-21T20:00:00Z",
          .commit = "1697d9f",
          .machine = "a CPU",
          .verdict = Verdict::helps,
          .said = "helps",
          .ratio = 0.5,
          .interval = Interval{0.4, 0.6},
          .naive = "2.00 ms",
          .optimized = "1.00 ms"};
}

}  // namespace

TEST_CASE("the page has its seven parts in their order, the answer last", "[explain]") {
  const auto catalogue = example::catalogue();
  const auto page = step_page(item(catalogue), sources, {});
  CHECK(page.title == "Do it.");
  CHECK(page.parts[0].prose == "How much?");
  CHECK(page.parts[1].prose == "The device waits.");
  CHECK(page.parts[3].prose == "A row measures it.");
  CHECK(page.parts[3].listings.at(0).text == "Trial prepare(Setup&, const Point&) { return {}; }\n");
  CHECK(page.parts[4].prose == "When it does not matter: never.");
  CHECK(page.parts[5].fields.at(0).text == "no figure");
  CHECK(page.parts[6].prose == "a lot.");
  for (std::size_t i = 0; i < page.parts.size(); ++i)
    CHECK(page.parts[i].heading.starts_with(std::to_string(i + 1) + ". "));
}

TEST_CASE("a lesson takes in the comment of the file that it names", "[explain]") {
  constexpr StepSource shared[] = {
      {"gpt/a", "workloads/gpt/a.cpp",
       "// Do it.\n//\n// Lesson: workloads/a.hpp\n//\n// A row.\n\nint x;\n"},
      {"gpt/a", "workloads/b.cpp", "// Not this one.\n"},
      {"gpt/a", "workloads/a.hpp", "// Why.\n//\n// When it hurts: never.\n#pragma once\n"}};
  CHECK(whole_lesson(shared) == "Do it.\n\nWhy.\n\nWhen it hurts: never.\n\nA row.\n");
  CHECK(whole_lesson({}).empty());
}

TEST_CASE("of a table a step has its part, and its record is the code", "[explain]") {
  constexpr StepSource part[] = {
      {"sync/item", "workloads/gpt/rungs.cpp",
       "// Do it.\n//\n// A row.\nchecked({.id = \"sync/item\",\n         .claim = \"It "
       "helps.\"}),\n",
       40}};
  const auto catalogue = example::catalogue();
  CHECK(whole_lesson(part) == "Do it.\n\nA row.\n");
  const auto code = code_parts(item(catalogue), part);
  REQUIRE(code.size() == 1);
  CHECK(code[0].text == "checked({.id = \"sync/item\",\n         .claim = \"It helps.\"}),\n");
  CHECK(code[0].first_line == 43);
  CHECK(code[0].last_line == 44);
}

TEST_CASE("the function that torch compiles is shown in Python, with the file that holds it", "[explain]") {
  constexpr StepSource compiled[] = {
      {"sync/item", "microbench/sync/item.cpp", source_text},
      {"sync/item", "microbench/other.cpp",
       "#include <x>\n\nconstexpr auto python = R\"python(\ndef step(x):\n    return (x,)\n)python\";\n"}};
  const auto catalogue = example::catalogue();
  const auto listings = step_page(item(catalogue), compiled, {}).parts[3].listings;
  REQUIRE(listings.size() == 2);
  CHECK(listings[1].title ==
        "The function in Python, which torch compiles: microbench/other.cpp, lines 4 to 5");
  CHECK(listings[1].text == "def step(x):\n    return (x,)\n");
}

TEST_CASE("the page separates what the source says of a device and of the CPU", "[explain]") {
  const auto catalogue = example::catalogue();
  const auto expected = expectations_of(item(catalogue));
  REQUIRE(expected.size() == 2);
  CHECK(expected[0].text == "on a CUDA device: helps");
  CHECK(expected[1].text == "on the CPU: the source does not say");
}

TEST_CASE("the page says which points the source does not cover", "[explain]") {
  auto catalogue = example::catalogue();
  auto& step = catalogue.steps[0];
  step.about = "bytes:1MiB";
  for (auto& row : step.rows)
    if (row.name != "transfer/pinned_h2d/bytes:1MiB") row.expected = Outcome::depends;
  CHECK(expectations_of(step).at(0).text ==
        "on a CUDA device: helps at bytes:1MiB; at other points we expect nothing: the machine decides");
}

TEST_CASE("the page names the points where the source says that the tip costs", "[explain]") {
  auto catalogue = example::catalogue();
  auto& step = catalogue.steps[0];
  for (auto& row : step.rows)
    row.expected = row.name == "transfer/pinned_h2d/bytes:1MiB" ? Outcome::hurts : Outcome::depends;
  CHECK(expectations_of(step).at(0).text.starts_with("on a CUDA device: hurts at bytes:1MiB; of "));
  step.expected = Outcome::depends;
  CHECK(expectations_of(step).at(0).text.starts_with("on a CUDA device: hurts at bytes:1MiB; of "));
  for (auto& row : step.rows)
    if (row.expected == Outcome::depends) row.expected = Outcome::helps;
  CHECK(expectations_of(step).at(0).text.ends_with("; hurts at bytes:1MiB"));
}

TEST_CASE("of a trap the page says how the wrong timer reads", "[explain]") {
  auto catalogue = example::catalogue();
  auto& step = catalogue.steps[0];
  step.naive = "wrong timer";
  for (auto& row : step.rows) row.expected = Outcome::hurts;
  CHECK(expectations_of(step).at(0).text == "on a CUDA device: too little");
}

TEST_CASE("prices that were measured stand with the part that says when the tip does not matter",
          "[explain]") {
  const auto catalogue = example::catalogue();
  MeasuredHere here;
  here.prices = {"p.json", {{"memcpy/bytes:1MiB", 2e-5, 5e10}, {"thread/start", 3e-5, 0}}};
  const auto text = page_text(step_page(item(catalogue), sources, here), {});
  CHECK_THAT(text, ContainsSubstring("Prices of this machine for this step (p.json)\n"
                                     "\n"
                                     "memcpy/bytes:1MiB                               20.0 us      50 GB/s\n"
                                     "thread/start                                    30.0 us\n"));
  CHECK_THAT(text, !ContainsSubstring("none given"));
}

TEST_CASE("without prices the page says how to get them", "[explain]") {
  const auto catalogue = example::catalogue();
  CHECK_THAT(explain_text(item(catalogue), sources, {}), ContainsSubstring("none given"));
  MeasuredHere here;
  here.has_prices = false;  // none concerns the step
  CHECK_THAT(page_text(step_page(item(catalogue), sources, here), {}), !ContainsSubstring("none given"));
}

TEST_CASE("the last result stands beside what was published, with the machine that it is from", "[explain]") {
  const auto catalogue = example::catalogue();
  MeasuredHere here;
  here.results = {result()};
  const auto text = page_text(step_page(item(catalogue), sources, here), {});
  CHECK_THAT(text, ContainsSubstring("Last result: a CPU; commit 1697d9f; 2026-11-21T20:00:00Z; r.json"));
  CHECK_THAT(text, ContainsSubstring("device:cpu\n    2.00 ms -> 1.00 ms  -50.0 % [-60.0, -40.0]  helps\n"));
}

TEST_CASE("a row without a verdict says why, in the words of a run's table", "[explain]") {
  const auto catalogue = example::catalogue();
  MeasuredHere here;
  here.results = {result()};
  here.results[0].said = "cannot tell";
  here.results[0].change = "-50.0 %";
  here.results[0].why = "3 rounds: -60.0 to -40.0 %, too few for a verdict";
  CHECK_THAT(page_text(step_page(item(catalogue), sources, here), {}),
             ContainsSubstring(
                 "1.00 ms  -50.0 %  cannot tell\n      3 rounds: -60.0 to -40.0 %, too few for a verdict\n"));
}

TEST_CASE("a result of another machine is called one", "[explain]") {
  const auto catalogue = example::catalogue();
  MeasuredHere here;
  here.results = {result()};
  here.results[0].other_machine = true;
  CHECK_THAT(page_text(step_page(item(catalogue), sources, here), {}),
             ContainsSubstring("a CPU (ANOTHER MACHINE THAN THIS ONE)"));
}

TEST_CASE("where files were read that do not have the step, the page names them", "[explain]") {
  const auto catalogue = example::catalogue();
  MeasuredHere here;
  here.looked_in = "a.json, history.sqlite";
  CHECK_THAT(page_text(step_page(item(catalogue), sources, here), {}),
             ContainsSubstring("no row of this step in a.json, history.sqlite"));
}

TEST_CASE("as Markdown the parts are headings and the code is fenced", "[explain]") {
  const auto catalogue = example::catalogue();
  const auto text = page_markdown(step_page(item(catalogue), sources, {}));
  CHECK(text.starts_with("# sync/item\n\nDo it.\n\n- **Claim:** Reading a value back stalls.\n"));
  CHECK_THAT(text, ContainsSubstring("\n## 1. A question to answer before you run it\n\nHow much?\n"));
  CHECK_THAT(text, ContainsSubstring("\n```cpp\nTrial prepare(Setup&, const Point&) { return {}; }\n```\n"));
}
