#include "harness/compare/ci.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/scratch_folder.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <csignal>
#include <fstream>
#include <utility>
#include <vector>

using namespace harness;
using namespace harness::compare;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

CiReport report() {
  return {
      "a <title> & more",
      {{.group = "sync/a", .name = "sync/a/n:1", .verdict = "same", .change = "0.0 %"},
       {.group = "sync/a",
        .name = "sync/a/n:2",
        .fate = Fate::failure,
        .verdict = "same",
        .message = "copies (naive): 1 -> 2",
        .properties = {{"rho", "1.2"}}},
       {.group = "b", .name = "b|pipe", .fate = Fate::advice, .verdict = "slower", .message = "100 %\nsure"},
       {.group = "c", .name = "c\x01", .fate = Fate::error, .verdict = "failed", .message = "\"<x>\""},
       {.group = "d", .name = "d", .fate = Fate::undecided, .verdict = "cannot tell"}},
      {"a note"}};
}

}  // namespace

TEST_CASE("JUnit counts the rows by their fate and escapes what XML reserves", "[ci]") {
  const auto xml = junit_text(report());
  CHECK_THAT(xml, StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
  CHECK_THAT(xml,
             ContainsSubstring("name=\"a &lt;title> &amp; more\" tests=\"5\" failures=\"2\" errors=\"1\" "
                               "skipped=\"1\""));
  CHECK_THAT(xml, ContainsSubstring("<failure message=\"same: copies (naive): 1 -> 2\" type=\"same\" />"));
  CHECK_THAT(xml, ContainsSubstring("<property name=\"rho\" value=\"1.2\" />"));
  CHECK_THAT(xml, ContainsSubstring("<error message=\"failed: &quot;&lt;x>&quot;\" type=\"failed\" />"));
  CHECK_THAT(xml, ContainsSubstring("name=\"c?\""));  // a control character has no place in XML
  CHECK_THAT(xml, ContainsSubstring("<system-out>a note\n</system-out>"));
}

TEST_CASE("JUnit has no characters that XML does not know", "[ci]") {
  const auto xml =
      junit_text({"t", {{.group = "g", .name = "a\xef\xbf\xbe", .verdict = "b\xef\xbf\xbf"}}, {}});
  CHECK_THAT(xml, ContainsSubstring("name=\"a?\""));
  CHECK_THAT(xml, !ContainsSubstring("\xef\xbf"));
  const auto latin = junit_text({"t\xe9", {{.group = "g", .name = "a\xff", .verdict = "b"}}, {}});
  CHECK_THAT(latin, ContainsSubstring("name=\"a\xef\xbf\xbd\""));
  CHECK_THAT(latin, !ContainsSubstring("\xff") && !ContainsSubstring("\xe9"));
}

TEST_CASE("Markdown moves no cursor", "[ci]") {
  CHECK_THAT(markdown_text({"t", {{.group = "g", .name = "a\x1b[2J"}}, {}}),
             ContainsSubstring("| a?\\[2J |"));
}

TEST_CASE("Markdown keeps every row on one line of the table", "[ci]") {
  const auto text = markdown_text(report());
  CHECK_THAT(text, StartsWith("### a \\<title\\> & more\n"));
  CHECK_THAT(text, ContainsSubstring("| b\\|pipe |  | slower | 100 %?sure |\n"));
  CHECK_THAT(text, ContainsSubstring("| **same** | copies (naive): 1 -\\> 2 |\n"));
  CHECK_THAT(text, ContainsSubstring("\n- a note\n"));
}

TEST_CASE("Markdown has what was measured, where that is known", "[ci]") {
  CHECK_THAT(
      markdown_text({"t", {{.name = "a", .verdict = "same", .before = "1.00 s", .after = "1.01 s"}}, {}}),
      ContainsSubstring("| a | 1.00 s | 1.01 s |  | same |  |\n"));
}

TEST_CASE("Markdown counts rows that were skipped for one reason below the table", "[ci]") {
  const CiCase cuda{
      .name = "a/device:cuda", .fate = Fate::skipped, .verdict = "skipped", .message = "no GPU"};
  const CiCase alone{.name = "b", .fate = Fate::skipped, .verdict = "skipped", .message = "too large"};
  const auto text = markdown_text({"t", {cuda, alone, cuda}, {}});
  CHECK_THAT(text, !ContainsSubstring("a/device") && ContainsSubstring("| b |  | skipped | too large |\n"));
  CHECK_THAT(text, ContainsSubstring("\n- 2 rows skipped: no GPU\n"));
  CHECK(markdown_text({"t", {cuda, cuda}, {}}) == "### t\n\n- 2 rows skipped: no GPU\n\n");
}

TEST_CASE("annotations name what fails as an error and what leans as a warning, escaped", "[ci]") {
  CHECK(annotations_text(report()) ==
        "::error title=sync/a/n%3A2::same: copies (naive): 1 -> 2\n"
        "::warning title=b|pipe::slower: 100 %25?sure\n"
        "::error title=c?::failed: \"<x>\"\n");
}

TEST_CASE("what is not decided is an error where undecided rows fail, else skipped", "[ci]") {
  auto undecided = report();
  undecided.rows = {undecided.rows.back()};
  CHECK_THAT(junit_text(undecided), ContainsSubstring("<skipped message=\"cannot tell\" />"));
  undecided.demands.strict = true;
  CHECK_THAT(junit_text(undecided),
             ContainsSubstring("<error message=\"cannot tell\" type=\"cannot tell\" />"));
}

TEST_CASE("JUnit is red where the exit code is, by the rows that have made it so", "[ci]") {
  const auto junit = [](std::vector<CiCase> rows) {
    const CiReport report{.title = "t", .rows = std::move(rows)};
    return junit_text(with_reason(report));
  };
  const CiCase open{.name = "a", .fate = Fate::undecided, .verdict = "cannot tell", .message = "too noisy"};
  CHECK_THAT(junit({open}), ContainsSubstring("errors=\"1\" skipped=\"0\"") &&
                                ContainsSubstring("<error message=\"cannot tell: too noisy\""));
  CHECK_THAT(junit({open, {.name = "b", .verdict = "same"}}),
             ContainsSubstring("errors=\"0\" skipped=\"1\""));
  CHECK_THAT(junit({open, {.name = "b", .fate = Fate::failure, .verdict = "slower"}}),
             ContainsSubstring("failures=\"1\" errors=\"0\" skipped=\"1\""));
  const auto* const none = "<error message=\"NOT DECIDED: no row was compared\"";
  CHECK_THAT(junit({}), ContainsSubstring("tests=\"1\"") && ContainsSubstring(none));
  CHECK_THAT(junit({{.name = "a", .fate = Fate::skipped, .verdict = "skipped"}}),
             ContainsSubstring("errors=\"1\" skipped=\"1\"") && ContainsSubstring(none));
}

TEST_CASE("what a signal has ended is red in each report, and its rows stay what they are", "[ci]") {
  const CiReport stopped{.title = "t",
                         .rows = {{.name = "a", .verdict = "same"},
                                  {.name = "b", .fate = Fate::undecided, .verdict = "stopped early"}},
                         .signal = SIGINT};
  CHECK(conclusion_of(stopped).code == 130);
  CHECK(conclusion_of(stopped).line == "NOT DECIDED: stopped by a signal");
  CHECK_THAT(
      junit_text(with_reason(stopped)),
      ContainsSubstring("errors=\"1\" skipped=\"1\"") &&
          ContainsSubstring("<error message=\"NOT DECIDED: stopped by a signal\" type=\"not decided\" />"));
  CHECK(annotations_text(stopped) == "::error::NOT DECIDED: stopped by a signal\n");
}

TEST_CASE("what went wrong beside the rows fails a report in which every row passes", "[ci]") {
  const CiReport report{
      .title = "t", .rows = {{.name = "a", .verdict = "same"}}, .errors = {"--cleanup 'x': it failed"}};
  CHECK(conclusion_of(report).code == 1);
  CHECK(conclusion_of(report).line == "FAILED: --cleanup 'x': it failed");
  CHECK_THAT(junit_text(with_reason(report)),
             ContainsSubstring("tests=\"2\" failures=\"0\" errors=\"1\" skipped=\"0\"") &&
                 ContainsSubstring("<error message=\"FAILED: --cleanup 'x': it failed\" type=\"failed\" />"));
  CHECK(annotations_text(report) == "::error::FAILED: --cleanup 'x': it failed\n");
}

TEST_CASE("a measurement that could not begin leaves a red report that says why", "[ci]") {
  const auto folder = ScratchFolder(temporary_folder());
  const auto junit = folder.path() / "junit.xml", markdown = folder.path() / "page";
  std::ofstream(junit) << "of an earlier job";
  const CiOutput output({.junit = junit.string(), .markdown = markdown.string()});
  CHECK_THROWS_WITH(output.guard("t", []() -> int { throw BadInput("no such program"); }), "no such program");
  CHECK_THAT(read_text(junit, 10000), ContainsSubstring("tests=\"1\" failures=\"0\" errors=\"1\"") &&
                                          ContainsSubstring("<error message=\"FAILED: no such program\""));
  CHECK_THAT(read_text(markdown, 10000), ContainsSubstring("**FAILED: no such program**"));
}

TEST_CASE("reports are red from the start, so that a killed job leaves none of an earlier one", "[ci]") {
  const auto folder = ScratchFolder(temporary_folder());
  const auto junit = folder.path() / "junit.xml", markdown = folder.path() / "page";
  std::ofstream(junit) << "of an earlier job";
  const CiOutput output({.junit = junit.string(), .markdown = markdown.string()});
  output.announce("t");
  const auto* const red = "FAILED: it has not ended: it still runs, or was killed";
  CHECK_THAT(read_text(junit, 10000),
             ContainsSubstring("tests=\"1\" failures=\"0\" errors=\"1\"") && ContainsSubstring(red));
  CHECK_THAT(read_text(markdown, 10000), ContainsSubstring(red));
  output.write({.title = "t", .rows = {{.name = "a", .verdict = "same"}}});
  CHECK_THAT(read_text(junit, 10000), ContainsSubstring("tests=\"1\" failures=\"0\" errors=\"0\""));
}

TEST_CASE("a summary that cannot be written leaves a red report that says so", "[ci]") {
  const auto folder = ScratchFolder(temporary_folder());
  const auto junit = folder.path() / "junit.xml";
  std::ofstream(junit) << "of an earlier job";
  CHECK_THROWS_AS(CiOutput({.junit = junit.string(), .markdown = "/nowhere/page"}), BadInput);
  CHECK_THAT(read_text(junit, 10000), ContainsSubstring("<error message=\"FAILED: /nowhere/page"));
}

TEST_CASE("what may not be compared is red in JUnit, Markdown and annotations, and says why", "[ci]") {
  const CiReport refused{.title = "t", .refusals = {"cores differs: 2 -> 4", "driver differs: 1 -> 2"}};
  const auto conclusion = conclusion_of(refused);
  CHECK(conclusion.code == 3);
  CHECK(conclusion.line == "REFUSED: cores differs: 2 -> 4; driver differs: 1 -> 2");
  CHECK_THAT(junit_text(with_reason(refused)),
             ContainsSubstring("tests=\"1\" failures=\"0\" errors=\"1\"") &&
                 ContainsSubstring("<error message=\"REFUSED: cores differs: 2 -> 4; driver"));
  CHECK(annotations_text(refused) == "::error::REFUSED: cores differs: 2 -> 4; driver differs: 1 -> 2\n");
}

TEST_CASE("a row that may be slower is an error, and one that is slower in two files a failure", "[ci]") {
  CiReport report{.rows = {{.name = "a", .fate = Fate::unsettled, .verdict = "maybe slower"},
                           {.name = "b", .fate = Fate::advice, .verdict = "slower", .change = "+10.0 %"}}};
  const auto xml = junit_text(report);
  CHECK_THAT(xml, ContainsSubstring("<error message=\"maybe slower\" type=\"maybe slower\" />"));
  CHECK_THAT(xml, ContainsSubstring("<failure message=\"+10.0 % slower\" type=\"advice\" />"));
}

TEST_CASE("the last line says what failed first, and the exit code follows from it", "[ci]") {
  const auto outcome = [](std::vector<Fate> fates, const Demands& demands = {}) {
    CiReport report{.demands = demands};
    for (const auto fate : fates) report.rows.push_back({.name = "r", .fate = fate, .verdict = "slower"});
    return conclusion_of(report);
  };
  CHECK(outcome({Fate::failure, Fate::failure, Fate::error}).code == 2);
  CHECK(outcome({Fate::failure, Fate::failure}).line == "FAILED: 2 rows slower");
  CHECK(outcome({Fate::pass, Fate::error, Fate::missing}).code == 1);
  CHECK(outcome({Fate::pass, Fate::missing}).code == 4);
  CHECK(outcome({Fate::pass, Fate::missing}, {.allow_missing = true}).code == 0);
  CHECK(outcome({Fate::pass, Fate::advice}).code == 0);
  CHECK(outcome({Fate::pass, Fate::advice}, {.strict = true}).code == 2);
  CHECK(outcome({}).code == 4);
  CHECK(outcome({Fate::skipped}).code == 4);
  CHECK(outcome({Fate::undecided}).code == 4);
  CHECK(outcome({Fate::undecided}).line == "NOT DECIDED: the only row is undecided");
  CHECK(outcome({Fate::undecided, Fate::undecided}).line == "NOT DECIDED: all 2 rows are undecided");
  CHECK(outcome({Fate::undecided}, {.allow_undecided = true}).code == 0);
}
