#include "harness/report/progress.hpp"

#include <catch2/catch_test_macros.hpp>

#include <memory>

using namespace harness;

namespace {

Advance half_way() {
  return {.row = 2,
          .rows = 4,
          .name = "a/b",
          .unit = 7,
          .units = 14,
          .expected_total = 40,
          .expected_done = 20,
          .expected_row = 10,
          .elapsed = 25};
}

/// What a Progress wrote to a file in place of stderr.
template <class Use>
std::string written(bool terminal, const Use& use) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  {
    Progress progress(file.get(), terminal, 2, 8);
    use(progress);
  }
  std::string text(static_cast<std::size_t>(std::ftell(file.get())), '\0');
  std::rewind(file.get());
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

}  // namespace

TEST_CASE("the bar says row, unit, share and time left", "[progress]") {
  CHECK(progress_line(half_way(), 100) == "[############--------]  62 %  3/4 a/b  unit 7/14  15 s left");
}

TEST_CASE("a long name is cut so that the time left stays on the line", "[progress]") {
  auto advance = half_way();
  advance.name = std::string(200, 'x');
  const auto line = progress_line(advance, 80);
  CHECK(line.size() == 79);
  CHECK(line.ends_with("  unit 7/14  15 s left"));
}

TEST_CASE("before anything is measured the guess is what is left", "[progress]") {
  CHECK(seconds_left({.rows = 4, .expected_total = 40}) == 40);
}

TEST_CASE("a run at half the guessed pace has twice as long to go", "[progress]") {
  const Advance slow{.row = 1, .rows = 2, .expected_total = 2000, .expected_done = 1000, .elapsed = 2005};
  CHECK(seconds_left(slow) == 2000);
}

TEST_CASE("more units than the first look never show more than all", "[progress]") {
  auto advance = half_way();
  advance.unit = 20;
  advance.expected_total = 30;
  CHECK(share_done(advance) == 1);
  CHECK(seconds_left(advance) == 0);
}

TEST_CASE("durations are written for people", "[progress]") {
  CHECK(duration_text(4.6) == "5 s");
  CHECK(duration_text(80) == "1 min 20 s");
  CHECK(duration_text(3900) == "1 h 5 min");
}

TEST_CASE("without a terminal each row is one plain line, and units print nothing", "[progress]") {
  const auto text = written(false, [](Progress& progress) {
    progress.begin_row(0, "a/b");
    progress.unit(1, 14);
    progress.end_row(4);
    progress.clear();
    progress.begin_row(1, "c/d");
  });
  CHECK(text == "[1/2] a/b\n[2/2] c/d\n");
}

TEST_CASE("on a terminal the bar is wiped before other text is printed", "[progress]") {
  const auto text = written(true, [](Progress& progress) {
    progress.begin_row(0, "a/b");
    progress.clear();
  });
  CHECK(text == "\r\x1b[2K[--------------------]   0 %  1/2 a/b  8 s left\r\x1b[2K");
}
