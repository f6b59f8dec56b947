#include "harness/compare/ci.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

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
       {.group = "b", .name = "b|pipe", .fate = Fate::skipped, .verdict = "slower", .message = "100 %\nsure"},
       {.group = "c", .name = "c\x01", .fate = Fate::error, .verdict = "failed", .message = "\"<x>\""},
       {.group = "d", .name = "d", .fate = Fate::skipped, .verdict = "cannot tell"}},
      {"a note"}};
}

}  // namespace

TEST_CASE("JUnit counts the rows by their fate and escapes what XML reserves", "[ci]") {
  const auto xml = junit_text(report());
  CHECK_THAT(xml, StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
  CHECK_THAT(xml,
             ContainsSubstring("name=\"a &lt;title> &amp; more\" tests=\"5\" failures=\"1\" errors=\"1\" "
                               "skipped=\"2\""));
  CHECK_THAT(xml, ContainsSubstring("<failure message=\"same: copies (naive): 1 -> 2\" />"));
  CHECK_THAT(xml, ContainsSubstring("<property name=\"rho\" value=\"1.2\" />"));
  CHECK_THAT(xml, ContainsSubstring("<error message=\"failed: &quot;&lt;x>&quot;\" />"));
  CHECK_THAT(xml, ContainsSubstring("name=\"c \""));  // a control character has no place in XML
}

TEST_CASE("JUnit has no characters that XML does not know", "[ci]") {
  const auto xml =
      junit_text({"t", {{.group = "g", .name = "a\xef\xbf\xbe", .verdict = "b\xef\xbf\xbf"}}, {}});
  CHECK_THAT(xml, ContainsSubstring("name=\"a?\""));
  CHECK_THAT(xml, !ContainsSubstring("\xef\xbf"));
}

TEST_CASE("Markdown moves no cursor", "[ci]") {
  CHECK_THAT(markdown_text({"t", {{.group = "g", .name = "a\x1b[2J"}}, {}}),
             ContainsSubstring("| a \\[2J |"));
}

TEST_CASE("Markdown keeps every row on one line of the table", "[ci]") {
  const auto text = markdown_text(report());
  CHECK_THAT(text, StartsWith("### a \\<title\\> & more\n"));
  CHECK_THAT(text, ContainsSubstring("| b\\|pipe |  | slower | 100 % sure |\n"));
  CHECK_THAT(text, ContainsSubstring("| **same** | copies (naive): 1 -\\> 2 |\n"));
  CHECK_THAT(text, ContainsSubstring("\n- a note\n"));
}

TEST_CASE("annotations name what fails as an error and what leans as a warning, escaped", "[ci]") {
  CHECK(annotations_text(report()) ==
        "::error title=sync/a/n%3A2::same: copies (naive): 1 -> 2\n"
        "::warning title=b|pipe::slower: 100 %25%0Asure\n"
        "::error title=c\x01::failed: \"<x>\"\n");
}
