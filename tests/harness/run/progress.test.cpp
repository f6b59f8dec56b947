#include "harness/run/run_output.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <memory>

using namespace harness;
using namespace harness::run;

namespace {

Advance half_way() {
  return {.pass = "round 7/14",
          .row = 2,
          .rows = 4,
          .name = "a/b",
          .expected_total = 40,
          .expected_done = 25,
          .elapsed = 25};
}

/// What a Progress wrote to a file in place of stderr.
template <class Use>
std::string written(bool terminal, const Use& use) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  {
    Progress progress(file.get(), terminal);
    use(progress);
  }
  std::string text(static_cast<std::size_t>(std::ftell(file.get())), '\0');
  REQUIRE(std::fseek(file.get(), 0, SEEK_SET) == 0);
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

}  // namespace

TEST_CASE("the bar says round, row, share and time left", "[progress]") {
  CHECK(progress_line(half_way(), 100) == "[############--------]  62 %  round 7/14  3/4 a/b  15 s left");
}

TEST_CASE("a long name is cut so that the time left stays on the line", "[progress]") {
  auto advance = half_way();
  advance.name = std::string(200, 'x');
  const auto line = progress_line(advance, 80);
  CHECK(line.size() == 79);
  CHECK(line.ends_with("x  15 s left"));
}

TEST_CASE("before anything is measured the guess is what is left", "[progress]") {
  CHECK(seconds_left({.rows = 4, .expected_total = 40}) == 40);
}

TEST_CASE("a run at half the guessed pace has twice as long to go", "[progress]") {
  const Advance slow{.row = 1, .rows = 2, .expected_total = 2000, .expected_done = 1000, .elapsed = 2005};
  CHECK(seconds_left(slow) == 2000);
}

TEST_CASE("no more time is left than of the budget", "[progress]") {
  auto advance = half_way();
  advance.end = 31;
  CHECK(seconds_left(advance) == 6);
  advance.end = 20;
  CHECK(seconds_left(advance) == 0);
}

TEST_CASE("more than was expected never shows more than all", "[progress]") {
  auto advance = half_way();
  advance.expected_total = 20;
  CHECK(share_done(advance) == 1);
  CHECK(seconds_left(advance) == 0);
}

TEST_CASE("rows that go on to a further look do not take the bar back", "[progress]") {
  const auto text = written(true, [](Progress& progress) {
    progress.begin_pass({.pass = "round 10/10", .rows = 1, .expected_left = 10});
    progress.begin_row("a/b");
    progress.end_row(9);
    progress.clear();
    progress.begin_row("a/c");
    progress.begin_pass({.pass = "round 11/14", .rows = 1, .expected_left = 9});
    progress.clear();
    progress.begin_row("a/b");
  });
  CHECK(text.find("]  90 %  round 11/14  1/1 a/b") != std::string::npos);
}

TEST_CASE("time left that nobody knows is not said", "[progress]") {
  CHECK(written(false, [](Progress& progress) { progress.begin_pass({.pass = "warm-up", .rows = 1}); }) ==
        "[warm-up] 1 row\n");
  CHECK(progress_line({.pass = "warm-up", .rows = 1, .name = "b"}, 100) ==
        "[--------------------]   0 %  warm-up  1/1 b");
}

TEST_CASE("durations are written for people", "[progress]") {
  CHECK(duration_text(4.6) == "5 s");
  CHECK(duration_text(80) == "1 min 20 s");
  CHECK(duration_text(3900) == "1 h 5 min");
}

TEST_CASE("without a terminal each pass is one plain line, and rows print nothing", "[progress]") {
  const auto text = written(false, [](Progress& progress) {
    progress.begin_pass({.pass = "rehearsal", .rows = 2, .expected_left = 30});
    progress.begin_row("a/b");
    progress.end_row(1);
    progress.clear();
    progress.begin_pass({.pass = "round 1/14", .rows = 1, .expected_left = 28});
  });
  CHECK_THAT(text,
             Catch::Matchers::Matches(
                 "\\[rehearsal\\] 2 rows, about \\d+ s left; checks that both sides give the same answer\n"
                 "\\[round 1/14\\] 1 row, about \\d+ s left\n"));
}

TEST_CASE("a pass says the rest of its budget where that is less than the guess", "[progress]") {
  const auto text = written(false, [](Progress& progress) {
    progress.begin_pass(
        {.pass = "round 1/10", .rows = 1, .expected_left = 411, .budget = std::chrono::seconds(200)});
  });
  CHECK(text == "[round 1/10] 1 row, about 3 min 20 s left\n");
}

TEST_CASE("a pass that begins when its budget is spent says so, and not that 0 s are left", "[progress]") {
  const auto text = written(false, [](Progress& progress) {
    progress.begin_pass(
        {.pass = "round 1/10", .rows = 40, .expected_left = 411, .budget = std::chrono::milliseconds(200)});
  });
  CHECK(text == "[round 1/10] 40 rows, budget almost spent\n");
  auto advance = half_way();
  advance.end = 20;
  CHECK(progress_line(advance, 100).ends_with("3/4 a/b  budget spent"));
  CHECK(progress_line({.rows = 1, .name = "b", .expected_total = 9, .expected_done = 8.9}, 100)
            .ends_with(" b"));
}

TEST_CASE("on a terminal the bar is wiped before other text is printed", "[progress]") {
  const auto text = written(true, [](Progress& progress) {
    progress.begin_pass({.pass = "rehearsal", .rows = 2, .expected_left = 8});
    progress.begin_row("a/b");
    progress.clear();
  });
  CHECK(text == "\r\x1b[2K[--------------------]   0 %  rehearsal  1/2 a/b  8 s left\r\x1b[2K");
}

TEST_CASE("a row that was left out of later rounds is no longer waited for", "[progress]") {
  const auto text = written(true, [](Progress& progress) {
    progress.begin_pass({.pass = "round 13/14", .rows = 2, .expected_left = 20});
    progress.begin_row("a/b");
    progress.end_row(10);
    progress.begin_pass({.pass = "round 14/14", .rows = 1, .expected_left = 10});
    progress.clear();
    progress.begin_row("c/d");
  });
  CHECK(text.find("[##########----------]  50 %  round 14/14  1/1 c/d") != std::string::npos);
}
