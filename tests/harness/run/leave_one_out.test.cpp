#include "harness/run/leave_one_out.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace harness;
using namespace harness::results;
using namespace harness::run;

namespace {

Row timed_row(const std::string& step, std::vector<Coordinate> at, double ratio) {
  Row row;
  row.step = step;
  row.name = step + "/x";
  row.at = std::move(at);
  row.naive_seconds = 1;
  row.optimized_seconds = ratio;
  row.judged.verdict = Verdict::helps;
  row.judged.ratio = ratio;
  row.judged.ratio_interval = Interval{ratio - 0.01, ratio + 0.01};
  return row;
}

Row end_row(const std::string& change, const std::string& from, double ratio) {
  return timed_row("play/leave_one_out", {{"switch", 0, change}, {"from", 0, from}}, ratio);
}

/// The lines that begin with two blanks and a change's name.
std::string line_of(const std::string& table, const std::string& change) {
  const auto begin = table.find("  " + change);
  return begin == std::string::npos ? "" : table.substr(begin, table.find('\n', begin) - begin);
}

TEST_CASE("a change's line has its rung, the best form and naive, in this order", "[leave_one_out]") {
  const std::vector<Row> rows = {timed_row("play/quick", {}, 0.9), end_row("quick", "best", 0.5),
                                 end_row("quick", "naive", 0.7)};
  const auto line = line_of(leave_one_out_table(rows, {}), "quick");
  const auto ladder = line.find("-10.0 %");
  const auto best = line.find("-50.0 %");
  const auto naive = line.find("-30.0 %");
  REQUIRE(naive != std::string::npos);
  CHECK(ladder < best);
  CHECK(best < naive);
}

TEST_CASE("a change whose rung was not measured, or that was skipped at one end, says so",
          "[leave_one_out]") {
  auto skipped = end_row("quick", "naive", 1);
  skipped.naive_seconds = skipped.optimized_seconds = 0;
  skipped.judged.verdict = Verdict::skipped;
  const auto line =
      line_of(leave_one_out_table(std::vector{end_row("quick", "best", 0.5), skipped}, {}), "quick");
  CHECK(line.find(" - ") != std::string::npos);
  CHECK(line.ends_with("skipped"));
}

TEST_CASE("a rung of another folder is not the change's", "[leave_one_out]") {
  const std::vector<Row> rows = {timed_row("work/quick", {}, 0.9), end_row("quick", "best", 0.5)};
  CHECK(leave_one_out_table(rows, {}).find("-10.0 %") == std::string::npos);
}

TEST_CASE("without rows of such a step there is no table", "[leave_one_out]") {
  CHECK(leave_one_out_table(std::vector{timed_row("play/quick", {}, 0.9)}, {}).empty());
}

}  // namespace
