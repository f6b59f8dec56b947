#include "harness/compare/comparison.hpp"

#include "tests/harness/compare/example.hpp"

#include "harness/compare/comparison_text.hpp"
#include "harness/core/counts.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using namespace harness;
using namespace harness::compare;
using namespace harness::results;
using example::RowText;

namespace {

Comparison compared(const Json& base, const Json& current, const CompareRules& rules = {}) {
  return compare_runs(example::run(base, "base.json"), example::run(current, "new.json"), rules);
}

ComparedRow compare_row(const RowText& base, const RowText& current) {
  return compared(example::results({base}), example::results({current})).rows.at(0);
}

int code_of(const Comparison& comparison, const Demands& demands = {}) {
  return conclusion_of(comparison_report(comparison, demands)).code;
}

Json with(const char* half, const char* field, const char* value) {
  auto json = example::results({{}});
  json["tuneproof"]["fingerprint"]["hard"][half][field] = value;
  return json;
}

}  // namespace

TEST_CASE("a row whose optimized form takes a fifth longer is slower", "[comparison]") {
  const auto row = compare_row({}, {.optimized_ns = 6e5});
  CHECK(row.verdict == Verdict::hurts);
  CHECK(row.optimized->ratio == Catch::Approx(1.2));
  // Order statistics of 14 units at half of 1 %: the 2nd and the 13th, here -0.1 % and +0.1 % on each side.
  CHECK(row.optimized->ratio_interval->low == Catch::Approx(1.2 * 0.999 / 1.001));
  CHECK(row.optimized->ratio_interval->high == Catch::Approx(1.2 * 1.001 / 0.999));
  CHECK(row.naive->verdict == Verdict::no_effect);
  CHECK(row.speed_up->ratio == Catch::Approx(1.2));
  CHECK(row.note.empty());
}

TEST_CASE("an undecided row that looks slower advises, and is undecided where advice counts",
          "[comparison]") {
  Comparison comparison{
      .base = "base.json",
      .current = "new.json",
      .rows = {{.name = "a", .step = "a", .verdict = Verdict::no_effect, .optimized = Change{}},
               {.name = "b", .step = "b", .optimized = Change{}, .delta = 0.05}}};
  mark_leaning(comparison, [](const std::string&) {
    return std::array{std::vector<double>(14, 0.0), std::vector<double>(14, 0.3)};
  });
  CHECK(comparison.rows[1].leaning);
  CHECK(compared_word(comparison.rows[1]) == "maybe slower");
  CHECK(code_of(comparison) == 0);
  CHECK(conclusion_of(comparison_report(comparison, {.strict = true}))
            .line.starts_with("NOT DECIDED: 1 row maybe slower"));
}

TEST_CASE("a benchmark has no form that its text could name", "[comparison]") {
  const Figure before{"instructions", std::string(instructions_unit), 1, 2e6},
      after{"instructions", before.unit, 9, 3e6};
  const auto increases = count_increases({before}, {after}, true);
  REQUIRE(increases.size() == 1);
  CHECK(increase_text(increases[0]) == "instructions: 2,000,000 -> 3,000,000 (+50.0 %)");
}

TEST_CASE("both numbers of a figure have separators", "[comparison]") {
  CHECK(
      figure_text(
          {.name = "items_per_second", .base = 10'000'369, .current = 5'002'196, .change = {.ratio = 0.5}}) ==
      "items_per_second: 10,000,369 -> 5,002,196, -50.0 %");
}

TEST_CASE("equal runs are the same, and a faster one is faster", "[comparison]") {
  CHECK(compare_row({}, {}).verdict == Verdict::no_effect);
  CHECK(compare_row({}, {.optimized_ns = 4e5}).verdict == Verdict::helps);
}

TEST_CASE("where both forms moved alike the row says that the machine may have", "[comparison]") {
  const auto row = compare_row({}, {.naive_ns = 1.2e6, .optimized_ns = 6e5});
  CHECK(row.verdict == Verdict::hurts);
  CHECK(row.note == "both sides moved alike, so the cause is the machine or code that they share");
}

TEST_CASE("fewer than nine units on a side cannot tell, and the row says how many it takes", "[comparison]") {
  const auto row = compare_row({.units = 8}, {.optimized_ns = 9e5});
  CHECK(row.verdict == Verdict::inconclusive);
  CHECK(row.note == "an interval needs 9 units in each file");
  CHECK(units_for_change(0.01) == 9);
}

TEST_CASE("a count that rose is named with both counts and fails, whatever the times say", "[comparison]") {
  const auto comparison =
      compared(example::results({{}}), example::results({RowText{.optimized_ns = 4e5, .operators = 101}}));
  const auto& increases = comparison.rows.at(0).increases;
  REQUIRE(increases.size() == 1);
  CHECK(increases[0].figure == "operators");
  CHECK(increases[0].form == "optimized");
  CHECK(increases[0].base == 100);
  CHECK(increases[0].current == 101);
  CHECK(code_of(comparison) == 2);
}

TEST_CASE("counts of runs on different data are not compared", "[comparison]") {
  auto other = example::results({RowText{.operators = 101}});
  other["tuneproof"]["session"]["seed"] = "0x2";
  const auto comparison = compared(example::results({{}}), other);
  CHECK(comparison.rows.at(0).increases.empty());
  CHECK(code_of(comparison) == 4);  // what BASE has counted gates no longer
  CHECK(code_of(comparison, {.allow_missing = true}) == 0);
  CHECK(comparison.warnings == std::vector<std::string>{"counts are not compared, because the seeds of the "
                                                        "data differ (0x1 and 0x2); run both with the same "
                                                        "--seed, or both without"});
}

TEST_CASE("counts are compared where only the order differs, since the data are the same", "[comparison]") {
  auto base = example::results({{}});
  auto other = example::results({RowText{.operators = 101}});
  other["tuneproof"]["session"]["seed"] = "0x2";
  for (auto* json : {&base, &other}) (*json)["tuneproof"]["session"]["data_seed"] = "0x1";
  CHECK(compared(base, other).rows.at(0).increases.size() == 1);
}

TEST_CASE("fewer calls, and figures that are not counts, fail nothing", "[comparison]") {
  CHECK(count_increases({{"x", "calls", 5, 5}}, {{"x", "calls", 5, 4}}).empty());
  CHECK(count_increases({{"x", "share", 0, 0}}, {{"x", "share", 1, 1}}).empty());
  CHECK(count_increases({{"x", "B", 1.5, 1.5}}, {{"x", "B", 2.5, 2.5}}).empty());  // a mean, not a count
  CHECK(count_increases({}, {{"x", "B", 1, 1}}).empty());
  CHECK(count_increases({{"x", "B", 1, 1}}, {{"x", "B", 2, 1}}).size() == 1);
  CHECK(count_increases({{"x", "B", 1, 1}}, {{"x", "B", 2, 2}}, true).size() == 1);  // of one form
}

TEST_CASE("a count that is no longer one is told: it is gone, has another unit, or is no whole number",
          "[comparison]") {
  const std::vector<Figure> base{{"gone", "calls", 5, 5},
                                 {"moved", "B", 4096, 4096},
                                 {"mean", "calls", 2, 2},
                                 {"kept", "calls", 1, 1},
                                 {"share", "share", 1, 1}};
  const std::vector<Figure> current{
      {"moved", "calls", 1, 1}, {"mean", "calls", 2.5, 2}, {"kept", "calls", 1, 1}};
  CHECK(vanished_counts(base, current) ==
        std::vector<std::string>{"gone", "moved (in B, and now in calls)", "mean (no whole number now)"});
  CHECK(count_increases(base, current).empty());
}

TEST_CASE("rows that vanished and rows that are new are listed", "[comparison]") {
  const auto comparison = compared(example::results({{}, {.id = "sync/old/device:cpu"}}),
                                   example::results({{.id = "sync/new/device:cpu"}, {}}));
  CHECK(comparison.missing == std::vector<std::string>{"sync/old/device:cpu"});
  CHECK(comparison.added == std::vector<std::string>{"sync/new/device:cpu"});
  CHECK(comparison.rows.size() == 1);
  CHECK(code_of(comparison) == 4);
  CHECK(code_of(comparison, {.allow_missing = true}) == 0);
}

TEST_CASE("of many rows that one file lacks the first stand there, and which option lists all",
          "[comparison]") {
  std::vector<RowText> rows;
  for (int i = 0; i < 12; ++i) rows.push_back({.id = "sync/a/n:" + std::to_string(100 + i)});
  const auto comparison = compared(example::results(rows), example::results({{}}));
  const auto text = comparison_text(comparison, {});
  CHECK_THAT(text, ContainsSubstring("\nMissing in NEW\n  sync/a/n:100\n") &&
                       ContainsSubstring("  sync/a/n:109\n  and 2 more; --markdown FILE lists all\n") &&
                       !ContainsSubstring("n:110") && ContainsSubstring("12 missing"));
  CHECK_THAT(markdown_text(comparison_report(comparison, {})), ContainsSubstring("n:111"));
  CHECK_THAT(refusal_text(comparison, {}),
             ContainsSubstring("and 2 more; --allow-mismatch --markdown FILE lists all\n"));
}

TEST_CASE("two runs of a row that a figure decides show the figures, and less or more of them",
          "[comparison]") {
  const auto file = [](double bytes) {
    auto json = example::results({{.naive_ns = 8e15, .optimized_ns = bytes * 1e9}});
    auto& pair = json["tuneproof"]["pairs"][0];
    pair["metric"] = "first_figure";
    pair["figures"] = {{{"name", "peak memory"}, {"unit", "B"}, {"naive", 8e6}, {"optimized", bytes}}};
    return json;
  };
  const auto comparison = compared(file(1 << 20), file(2 << 20));
  CHECK(compared_word(comparison.rows.at(0)) == "more");
  CHECK_THAT(comparison_text(comparison, {}), ContainsSubstring("1.00 MiB 2.00 MiB  +100 % "));
}

TEST_CASE("runs on different machines are refused, with the list of what differs and of missing rows",
          "[comparison]") {
  const auto other = with("machine", "cpu_model", "Another CPU");
  const auto comparison = compared(example::results({{}}), other);
  CHECK(refused(comparison, {}));
  CHECK(comparison.differences == std::vector<Difference>{{"machine.cpu_model", "A CPU", "Another CPU"}});
  CHECK(comparison.rows.empty());
}

TEST_CASE("a refusal names the option for each difference, and what has none", "[comparison]") {
  auto other = with("software", "libtorch", "2.12.0");
  other["tuneproof"]["session"]["threads"] = 1;
  const auto text = refusal_text(compared(example::results({{}}), other), {});
  CHECK_THAT(text, ContainsSubstring("add --across libtorch. No --across covers threads: "));
  CHECK_THAT(text, ContainsSubstring("counts that rose still fail"));
}

TEST_CASE("where no row has a verdict the comparison says what to do next", "[comparison]") {
  const auto base = example::results({{.units = 3}});
  auto open = compared(base, base);
  REQUIRE(open.rows.at(0).verdict == Verdict::inconclusive);
  CHECK_THAT(comparison_text(open, {}), ContainsSubstring("Next: measure both again"));
  open.one_session = true;
  CHECK_THAT(comparison_text(open, {}), ContainsSubstring("Next: measure once more and compare"));
  const auto decided = compared(example::results({{}}), example::results({{}}));
  CHECK_THAT(comparison_text(decided, {}), !ContainsSubstring("Next:") && EndsWith("fail.\n"));
}

TEST_CASE("a mismatch that was allowed leaves no verdict, and counts still compare", "[comparison]") {
  auto other = with("machine", "cpu_model", "Another CPU");
  other["tuneproof"]["pairs"][0]["figures"][0]["optimized"] = 200.0;
  const auto comparison = compared(example::results({{}}), other, {.allow_mismatch = true});
  REQUIRE(comparison.rows.size() == 1);
  CHECK(comparison.rows[0].verdict == Verdict::inconclusive);
  CHECK(comparison.rows[0].note == "no verdict on its time: the two runs differ in what they must share");
  CHECK(code_of(comparison) == 2);
}

TEST_CASE("across takes its one difference as the treatment, and no other", "[comparison]") {
  const auto base = example::results({{}});
  const auto libtorch = with("software", "libtorch", "2.12.0");
  CHECK(refused(compared(base, libtorch), {}));
  CHECK(compared(base, libtorch, {.across = {Across::libtorch}}).differences.empty());
  CHECK(compared(base, libtorch, {.across = {Across::driver}}).differences.size() == 1);
  CHECK(compared(base, with("software", "driver", "590"), {.across = {Across::driver}}).differences.empty());
  CHECK(compared(base, with("software", "cuda_runtime", "13.1"), {.across = {Across::cuda}})
            .differences.empty());
  auto two = libtorch;
  two["tuneproof"]["fingerprint"]["hard"]["software"]["driver"] = "590";
  CHECK(compared(base, two, {.across = {Across::libtorch, Across::driver}}).differences.empty());
  CHECK(compared(base, two, {.across = {Across::libtorch}}).differences.size() == 1);
}

TEST_CASE("across says so where nothing differs in it", "[comparison]") {
  const auto comparison =
      compared(example::results({{}}), example::results({{}}), {.across = {Across::driver}});
  CHECK(comparison.warnings == std::vector<std::string>{"--across driver: it is the same in both"});
}

TEST_CASE("another scale or number of threads is other work, and refused", "[comparison]") {
  auto other = example::results({{}});
  other["tuneproof"]["session"]["options"]["scale"] = "2";
  other["tuneproof"]["session"]["threads"] = 4;
  CHECK(compared(example::results({{}}), other).differences ==
        std::vector<Difference>{{"--scale", "1", "2"}, {"threads", "2", "4"}});
}

TEST_CASE("another kernel, another host and another GPU of the same kind only warn", "[comparison]") {
  auto base = example::results({{}});
  auto other = base;
  base["tuneproof"]["fingerprint"]["info"]["gpu_uuid"] = "GPU-1";
  other["tuneproof"]["fingerprint"]["info"]["gpu_uuid"] = "GPU-2";
  base["tuneproof"]["fingerprint"]["info"]["host_name"] = "runner-1";
  other["tuneproof"]["fingerprint"]["info"]["host_name"] = "runner-2";
  other["tuneproof"]["fingerprint"]["soft"]["kernel"] = "6.2";
  const auto comparison = compared(base, other);
  CHECK(comparison.differences.empty());
  CHECK(comparison.warnings ==
        std::vector<std::string>{
            "kernel differs: 6.1 -> 6.2", "another GPU of the same kind (its UUID differs)",
            "another host: runner-1 -> runner-2; even machines of one class differ in speed"});
}

TEST_CASE("a row that failed in one of the two says where and why, and the exit code is 1", "[comparison]") {
  auto other = example::results({});
  other["tuneproof"]["errors"].push_back(example::error("sync/a/device:cpu", "failed", "signal 11"));
  const auto comparison = compared(example::results({{}}), other);
  CHECK(comparison.rows.at(0).verdict == Verdict::failed);
  CHECK(comparison.rows.at(0).note == "failed in NEW: signal 11");
  CHECK(code_of(comparison) == 1);
  CHECK(compared(other, other).rows.at(0).note == "failed in BASE and NEW: signal 11");
}

TEST_CASE("a row that only the new run had to skip is missing", "[comparison]") {
  auto other = example::results({RowText{.id = "sync/b/device:cpu"}});
  other["tuneproof"]["errors"].push_back(example::error("sync/a/device:cpu", "skipped", "no CUDA device"));
  const auto comparison = compared(example::results({{}, {.id = "sync/b/device:cpu"}}), other);
  CHECK(std::ranges::count(comparison.rows, true, &ComparedRow::lost) == 1);
  CHECK(code_of(comparison) == 4);
  CHECK(code_of(comparison, {.allow_missing = true}) == 0);
  CHECK(code_of(compared(other, example::results({{}, {.id = "sync/b/device:cpu"}}))) == 0);
}

TEST_CASE("a row of which the new run has no round is missing, and not undecided beside a decided one",
          "[comparison]") {
  const auto other = example::results({RowText{.units = 0}, {.id = "sync/b/device:cpu"}});
  const auto both = example::results({{}, {.id = "sync/b/device:cpu"}});
  const auto comparison = compared(both, other);
  CHECK(comparison.rows.at(0).note == "NEW has no timed round of this row");
  CHECK(conclusion_of(comparison_report(comparison, {})).line == "FAILED: 1 row missing");
  CHECK(code_of(comparison) == 4);
  CHECK(code_of(comparison, {.allow_missing = true}) == 0);
  CHECK(code_of(compared(other, both)) == 0);  // new to it
}

TEST_CASE("a row that is no longer counted does not pass by its time, which only advises", "[comparison]") {
  auto base = example::results({{}});
  base["tuneproof"]["pairs"][0]["figures"].push_back(
      {{"name", "instructions"}, {"unit", "instructions"}, {"naive", 5e6}, {"optimized", 2e6}});
  const auto comparison = compared(base, example::results({{}}));
  CHECK(conclusion_of(comparison_report(comparison, {})).line ==
        "FAILED: 1 row no longer counted, no row was compared");
  CHECK(code_of(comparison) == 4);
  CHECK(code_of(comparison, {.allow_missing = true}) == 0);
  CHECK(code_of(compared(example::results({{}}), base)) == 0);
}

TEST_CASE("files of which all rows were skipped have compared nothing", "[comparison]") {
  auto skipped = example::results({});
  skipped["tuneproof"]["errors"].push_back(example::error("sync/a/device:cpu", "skipped", "no CUDA device"));
  CHECK(code_of(compared(skipped, skipped)) == 4);
  CHECK(code_of(compared(skipped, skipped), {.strict = true, .allow_missing = true}) == 4);
  CHECK(code_of(compared(example::results({}), example::results({}))) == 4);
}

TEST_CASE("a slower row of two files is advice, which fails where strict", "[comparison]") {
  const auto comparison = compared(example::results({{}}), example::results({RowText{.optimized_ns = 6e5}}));
  CHECK(code_of(comparison) == 0);
  CHECK(code_of(comparison, {.strict = true}) == 2);
  CHECK(conclusion_of(comparison_report(comparison, {})).line ==
        "PASSED: 1 row compared, 1 row slower (only advice: --strict fails)");
}

TEST_CASE("base, new and the change of a row are those of the two tables, and the interval holds the change",
          "[comparison]") {
  auto current = example::results({{}});
  auto& result = current["tuneproof"]["pairs"][0]["result"];
  result["ratio"] = 0.51;  // of the rounds, which is not that of the two medians
  const auto row = compared(example::results({{}}), current).rows.at(0);
  CHECK(row.base_seconds == Catch::Approx(5e-4));
  CHECK(row.seconds == Catch::Approx(5.1e-4));
  CHECK(row.optimized->ratio == Catch::Approx(1.02));
  CHECK(row.optimized->ratio_interval->low == Catch::Approx(0.999 / 1.001));
  CHECK(row.optimized->ratio_interval->high == Catch::Approx(1.02));
  CHECK(row.verdict == Verdict::no_effect);
  result["ratio"] = 0.53;  // 6 % more than the table of base shows
  CHECK(compared(example::results({{}}), current).rows.at(0).verdict == Verdict::inconclusive);
}

TEST_CASE("on 40 columns the times and the change of a row stand below its name, and no line is wider",
          "[comparison]") {
  const auto comparison = compared(example::results({{}}), example::results({RowText{.optimized_ns = 6e5}}));
  const auto text = comparison_text(comparison, {.columns = 40});
  CHECK_THAT(text, ContainsSubstring(
                       "  sync/a/device:cpu\n    500 us  600 us\n    +20.0 % [+19.8, +20.2]  slower\n"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 40);
}

TEST_CASE("instructions decide a row that time does not, with digits grouped and a percentage",
          "[comparison]") {
  const auto counted = [](double instructions) {
    auto json = example::results({RowText{.units = 3}});
    json["tuneproof"]["pairs"][0]["figures"].push_back(
        {{"name", "instructions"}, {"unit", "instructions"}, {"naive", 5e6}, {"optimized", instructions}});
    return json;
  };
  const auto equal = compared(counted(2057872), counted(2057900));
  CHECK(compared_word(equal.rows[0]) == "equal instructions");
  CHECK(code_of(equal) == 0);
  const auto more = compared(counted(2057872), counted(2222887));
  REQUIRE(more.rows[0].increases.size() == 1);
  CHECK(increase_text(more.rows[0].increases[0]) ==
        "instructions (second side): 2,057,872 -> 2,222,887 (+8.0 %)");
  CHECK(code_of(more) == 2);
}

TEST_CASE("with --strict more than a fifth of the rows undecided exits with 4", "[comparison]") {
  Comparison comparison;
  comparison.rows.resize(10);
  for (auto& row : comparison.rows) row.verdict = Verdict::no_effect;
  comparison.rows[0].verdict = comparison.rows[1].verdict = Verdict::inconclusive;
  CHECK(code_of(comparison, {.strict = true}) == 0);
  comparison.rows[2].verdict = Verdict::inconclusive;
  CHECK(code_of(comparison, {.strict = true}) == 4);
  CHECK(code_of(comparison) == 0);
}

TEST_CASE("nothing of a file's texts moves a cursor or turns a line around", "[comparison]") {
  const std::string odd = "a\x1b[2J\xc2\x9b\xe2\x80\xae";
  Comparison comparison{.base = odd, .current = odd};
  comparison.rows.push_back({.name = odd, .step = odd, .verdict = Verdict::hurts, .note = odd});
  comparison.rows[0].words.unit = odd;
  comparison.rows[0].seconds = 1;
  comparison.rows[0].increases = {{odd, "naive", "calls", 1, 2}};
  comparison.rows[0].figures = {{.name = odd}};
  comparison.rows[0].vanished = comparison.missing = comparison.added = comparison.warnings = {odd};
  comparison.differences = {{odd, odd, odd}};
  clean(comparison);
  const auto ci = comparison_report(comparison, {});
  for (const auto& text : {comparison_text(comparison, {}), refusal_text(comparison, {}), junit_text(ci),
                           markdown_text(ci), annotations_text(ci)})
    for (const auto* hidden : {"\x1b", "\xc2\x9b", "\xe2\x80\xae"}) CHECK(text.find(hidden) == text.npos);
}
