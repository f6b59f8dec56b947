#include "tests/harness/run/rows.hpp"

#include "harness/run/closing_lines.hpp"
#include "harness/run/row_view.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <string>
#include <vector>

using namespace harness;
using namespace harness::results;
using namespace harness::run;
using Catch::Matchers::ContainsSubstring;

namespace {

Row changed(const std::string& step, Verdict verdict, double ratio) {
  return example::judged(example::row(step, ""), verdict, {1, ratio}, {ratio - 0.1, ratio + 0.1});
}

Row undecided(const std::string& step, const std::string& reason) {
  auto row = changed(step, Verdict::inconclusive, 1);
  row.judged.flags = {reason};
  return row;
}

TEST_CASE("the summary names the three rows that helped most, the largest change first", "[report]") {
  const std::vector rows{changed("a/a", Verdict::helps, 0.9), changed("a/b", Verdict::helps, 0.2),
                         changed("a/c", Verdict::helps, 0.5), changed("a/d", Verdict::helps, 0.7)};
  CHECK_THAT(summary(rows, {}),
             ContainsSubstring("\nHelps most: a/b (-80.0 %), a/c (-50.0 %), a/d (-30.0 %), and 1 more\n"));
}

TEST_CASE("of each step the largest gain is named, and whole ladders stand apart", "[report]") {
  const std::vector rows{changed("s/best_form", Verdict::helps, 0.1), changed("a/b", Verdict::helps, 0.5),
                         changed("a/b", Verdict::helps, 0.4), changed("a/c", Verdict::hurts, 3)};
  const auto text = summary(rows, {});
  CHECK_THAT(text, ContainsSubstring("\nHelps most: a/b (-60.0 %)\n"));
  CHECK_THAT(text, ContainsSubstring("\nWhole ladders: s/best_form (-90.0 %)\n"));
  CHECK(worth_a_look(rows) == std::vector{&rows[2]});
  CHECK(worth_a_look(std::span(rows).last(1)) == std::vector{&rows[3]});
}

TEST_CASE("three steps at most are worth a look, each once", "[report]") {
  const std::vector rows{changed("a/a", Verdict::hurts, 2), changed("a/b", Verdict::hurts, 5),
                         changed("a/b", Verdict::hurts, 4), changed("a/c", Verdict::hurts, 3),
                         changed("a/d", Verdict::hurts, 1.5)};
  CHECK(worth_a_look(rows) == std::vector{&rows[1], &rows[3], &rows[0]});
}

TEST_CASE("rounds that are too few for every row do not pass for a base, and say what to do", "[report]") {
  auto row = undecided("a/a", "only 1 of 10 rounds");
  row.rounds = 1;
  CHECK_THAT(summary(std::vector{row}, {.columns = 1000}),
             ContainsSubstring("Each row has only 1 round, a fresh process: too few for a verdict; give a "
                               "larger --budget, or go on from a file with --resume. "));
  CHECK_THAT(summary(std::vector{row, changed("a/b", Verdict::helps, 0.5)}, {.columns = 1000}),
             ContainsSubstring("Each row rests on 1 to 14 rounds, each a fresh process. "));
}

TEST_CASE("rows that counts decide are among those that time cannot tell", "[report]") {
  auto row = undecided("a/a", "only 3 of 10 rounds");
  row.measured.figures = {{"operators called", "calls", 100, 96}};
  const std::vector rows{row, undecided("a/b", "only 4 of 10 rounds")};
  const auto text = summary(rows, {.columns = 200}, "Wait.");
  CHECK_THAT(text, ContainsSubstring("\nCannot tell: 2 rows (too few rounds): a/a, a/b. "));
  CHECK_THAT(text, ContainsSubstring("\nTime cannot tell, but this is known: "
                                     "a/a (does less work: 4 operators fewer).\n"));
}

TEST_CASE("the summary names what hurts", "[report]") {
  const std::vector rows{changed("a/a", Verdict::hurts, 1.5), changed("a/b", Verdict::helps, 0.5)};
  CHECK_THAT(summary(rows, {}), ContainsSubstring("\nHurts: a/a (+50.0 %)\n"));
}

TEST_CASE("rows that noise hides lead to doctor and to more rounds", "[report]") {
  const auto text = summary(std::vector{undecided("a/a", "too noisy"), undecided("a/b", "too noisy")}, {});
  CHECK_THAT(text, ContainsSubstring("\nCannot tell: 2 rows (too noisy): a/a, a/b. Run `tuneproof doctor`"));
  CHECK_THAT(text, ContainsSubstring("\ntoo noisy: its rounds scatter by more than 1.5 times the margin.\n"));
  CHECK_THAT(text, !ContainsSubstring("--budget"));
}

TEST_CASE("each row that cannot tell is counted under one reason, the one that weighs most", "[report]") {
  auto carried = undecided("a/a", "leaning faster");
  carried.judged.flags = {"leaning faster", "too noisy", "unstable machine", "carryover"};
  carried.judged.off = std::log(1.2);
  auto unstable = undecided("a/b", "unstable machine");
  unstable.judged.off = std::log(1.31);
  auto plain = undecided("a/c", "");
  plain.judged.flags.clear();
  CHECK_THAT(summary(std::vector{carried, unstable, plain, undecided("a/d", "only 3 of 14 rounds")},
                     {.columns = 1000}),
             ContainsSubstring("\nCannot tell: 4 rows (carryover: 1, interval crosses the margin: 1, too few "
                               "rounds: 1, unstable machine (fixed work up to 31 % off): 1): a/a, "));
  plain.rounds = 0;
  CHECK_THAT(summary(std::vector{plain}, {}), ContainsSubstring("Cannot tell: 1 row (too few rounds): a/c."));
  CHECK(view_of(carried).note ==
        "carryover; unstable machine (fixed work up to 20 % off); too noisy; leaning faster");
}

TEST_CASE("rows with too few rounds lead to a larger budget", "[report]") {
  auto row = undecided("a/a", "only 3 of 14 rounds");
  row.judged.too_few = true;
  CHECK_THAT(
      summary(std::vector{row}, {.columns = 200}),
      ContainsSubstring("\nCannot tell: 1 row (too few rounds): a/a. Take more rounds: raise --budget"));
}

TEST_CASE("commands that noise hides lead to an option that versus has", "[report]") {
  const auto text = summary(std::vector{undecided("versus/wall/command:a", "too noisy")}, {});
  CHECK_THAT(text, ContainsSubstring("Take more rounds: raise --budget") && !ContainsSubstring("--looks") &&
                       !ContainsSubstring("doctor"));
}

TEST_CASE("a summary without such rows has none of these lines", "[report]") {
  const auto text = summary(std::vector{changed("a/a", Verdict::no_effect, 1)}, {});
  for (const auto* word : {"Helps", "Hurts", "Cannot"}) CHECK_THAT(text, !ContainsSubstring(word));
}

TEST_CASE("verdicts from an unstable machine are counted, with what finds the disturbance", "[report]") {
  auto row = changed("a/a", Verdict::helps, 0.5);
  row.judged.flags = {"unstable machine"};
  row.judged.off = std::log(1.31);
  row.rounds = 14;
  auto calm = changed("a/b", Verdict::helps, 0.5);
  calm.rounds = 14;
  CHECK_THAT(
      summary(std::vector{row, calm}, {.columns = 200}),
      ContainsSubstring("\nVerdicts from an unstable machine (fixed work up to 31 % off): 1 of 2. They "
                        "hold in the calm rounds too; `tuneproof doctor` says what disturbs this "
                        "machine.\n"));
  CHECK_THAT(summary(std::vector{calm, calm}, {}), !ContainsSubstring("unstable machine"));
}

TEST_CASE("rows that contradict their sources are named with both", "[report]") {
  auto row = changed("a/a", Verdict::hurts, 1.5);
  row.published = "1 -> 0.5 ms";
  CHECK_THAT(summary(std::vector{row}, {.columns = 200}),
             ContainsSubstring(
                 "\nContradicts its source: a/a (source: faster, 1 -> 0.5 ms; here: slower, +50.0 %).\n"));
  auto depends = changed("a/b", Verdict::helps, 0.5);
  depends.expected = Outcome::depends;
  CHECK_THAT(
      summary(std::vector{changed("a/a", Verdict::helps, 0.5), depends}, {.columns = 200}),
      ContainsSubstring("\nNo row contradicts its source; of 2 decided, 1 has a source that says what to "
                        "expect on such a device.\n"));
  CHECK_THAT(summary(std::vector{undecided("a/a", "too noisy")}, {}), !ContainsSubstring("contradicts"));
}

TEST_CASE("the words of the table are counted in the summary", "[report]") {
  const std::vector rows{changed("a/a", Verdict::helps, 0.5), changed("a/b", Verdict::hurts, 1.5),
                         changed("a/c", Verdict::no_effect, 1), undecided("a/d", "too noisy")};
  CHECK_THAT(summary(rows, {}), ContainsSubstring("\n4 rows: 1 faster, 1 same, 1 slower, 1 cannot tell\n"));
}

}  // namespace
