#include "harness/pages/course.hpp"
#include "harness/pages/typed_answer.hpp"
#include "harness/trace/trace.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

using namespace harness;
using namespace harness::results;
using namespace harness::pages;
using namespace harness::trace;

namespace {

CourseUnit unit_of(std::string_view name) {
  const auto all = course();
  return *std::ranges::find(all, name, &CourseUnit::name);
}

Truth of_trace(const CourseUnit& unit) {
  const auto trace = std::ranges::find(course_traces(), unit.trace, &Embedded::name);
  return truth_of(unit, diagnose(parse_trace(std::string(trace->text), unit.trace)));
}

Row row(Verdict verdict, double ratio) {
  Row row;
  row.judged.verdict = verdict;
  row.judged.ratio = ratio;
  row.naive_seconds = 2e-3;
  row.optimized_seconds = ratio * 2e-3;
  return row;
}

}  // namespace

TEST_CASE("of the exercises on traces the right answers are right, and planted wrong ones are caught",
          "[learn]") {
  struct Case {
    const char* unit;
    const char* right;
    std::vector<const char*> wrong;
  };
  for (const auto& [name, right, wrong] :
       {Case{"14_operators",
             "aten::relu, aten::addmm aten::copy_",
             {"aten::linear, aten::addmm, aten::relu", "ampere_sgemm_128x64_nn aten::addmm aten::relu",
              "aten::addmm aten::relu aten::add_"}},
        Case{"15_regime", "input-bound", {"compute-bound", "memory-bound", "overhead/sync-bound"}},
        Case{"31_planted",
             "aten::item",
             {"aten::linear", "cudaDeviceSynchronize", "cudaStreamSynchronize", "aten::item_"}},
        Case{"41_amdahl", "81 %", {"16", "50", "100"}}}) {
    const auto unit = unit_of(name);
    const auto truth = of_trace(unit);
    INFO(name << ": " << truth.said);
    CHECK(truth.missing.empty());
    CHECK(is_answer(unit, right));
    CHECK(is_right(unit, right, truth));
    for (const auto* answer : wrong) {
      INFO(answer);
      CHECK(is_answer(unit, answer));
      CHECK_FALSE(is_right(unit, answer, truth));
    }
  }
}

TEST_CASE("every name of a wait and every way to write it is right", "[learn]") {
  const auto unit = unit_of("31_planted");
  const auto truth = of_trace(unit);
  for (const auto* name : {"aten::item", "item", ".item()", "loss.item()", "Aten::Item", "torch.Tensor.item",
                           "_local_scalar_dense", "aten::_local_scalar_dense"}) {
    INFO(name);
    CHECK(is_answer(unit, name));
    CHECK(is_right(unit, name, truth));
  }
  const auto top = unit_of("14_operators");
  CHECK(is_right(top, "addmm relu copy_", of_trace(top)));
  CHECK(partly_right(top, "addmm relu add_", of_trace(top)) == "2 of 3 names are right.");
  CHECK(partly_right(unit, "aten::linear", truth).empty());
}

TEST_CASE("of the lines of a mixed-precision step one order is right", "[learn]") {
  const auto unit = unit_of("34_precision");
  const auto truth = order_of(unit);
  for (const auto* typed : {"B, E, D, C, F, A, G", "b-e-d-c-f-a-g", "b > e > d > c > f > a > g"}) {
    CHECK(is_answer(unit, typed));
    CHECK(is_right(unit, typed, truth));
  }
  CHECK(is_answer(unit, "becdfag"));
  CHECK_FALSE(is_right(unit, "becdfag", truth));  // the backward pass within autocast
  CHECK_FALSE(is_right(unit, "bedcafg", truth));  // updated before it was unscaled
  CHECK_FALSE(is_answer(unit, "bedcfa"));
  CHECK_FALSE(is_answer(unit, "bedcffg"));
}

TEST_CASE("a prediction is held against the row's verdict", "[learn]") {
  const auto unit = unit_of("22_ready_source");
  const auto truth = truth_of(unit, row(Verdict::hurts, 12));
  CHECK(truth.said == "2.00 ms -> 24.0 ms, +1100 %: slower");
  CHECK(is_right(unit, "slower", truth));
  CHECK_FALSE(is_right(unit, "faster", truth));
  CHECK_FALSE(is_right(unit, "same", truth));
}

TEST_CASE("a row that cannot tell, or did not run, gives no truth", "[learn]") {
  const auto unit = unit_of("22_ready_source");
  CHECK(truth_of(unit, row(Verdict::inconclusive, 1.01)).missing.find("cannot tell") != std::string::npos);
  auto disturbed = row(Verdict::inconclusive, 0.2);
  disturbed.judged.flags = {"only 12 of 14 rounds"};
  CHECK(truth_of(unit, disturbed).missing.ends_with("cannot tell; only 12 of 14 rounds"));
  auto skipped = row(Verdict::skipped, 1);
  skipped.reason = "no CUDA device";
  CHECK(truth_of(unit, skipped).missing == "skipped: no CUDA device");
}

TEST_CASE("a unit that asks of the naive form needs no verdict", "[learn]") {
  const auto unit = unit_of("12_scatter");
  auto scattered = row(Verdict::inconclusive, 0.5);
  scattered.measured.figures = {{"what the timer says", "x", 1.4, 0.7}};
  scattered.measured.statistic = Statistic::figure;
  scattered.naive_seconds = 1.4;
  scattered.optimized_seconds = 1.1;  // not 0.5 x 1.4: it cannot be below 1
  const auto truth = truth_of(unit, scattered);
  CHECK(truth.missing.empty());
  CHECK(truth.said == "1.40 x -> 1.10 x");
  CHECK(is_right(unit, "2.0", truth));
  CHECK_FALSE(is_right(unit, "2.2", truth));
}

TEST_CASE("a factor is right within the factor that the unit allows", "[learn]") {
  const auto unit = unit_of("33_fewer_calls");
  const auto truth = truth_of(unit, row(Verdict::helps, 0.1));
  CHECK(truth.number == 10);
  CHECK(is_right(unit, "5", truth));
  CHECK(is_right(unit, "20x", truth));
  CHECK_FALSE(is_right(unit, "4.9", truth));
  CHECK_FALSE(is_answer(unit, "1e99"));
  CHECK_FALSE(is_answer(unit, "much"));
}

TEST_CASE("of a row that is judged by memory a factor says how many times less", "[learn]") {
  auto less = row(Verdict::helps, 0.5);
  less.measured.statistic = Statistic::figure;
  less.measured.figures = {{"peak memory", "B", 4 << 20, 2 << 20}};
  const auto unit = unit_of("40_checkpoints");
  const auto truth = truth_of(unit, less);
  CHECK(truth.said.ends_with(": less (2 times less)"));
  CHECK(is_right(unit, "2.5", truth));
  CHECK_FALSE(is_right(unit, "1", truth));
}

TEST_CASE("a factor within the interval of the run is right, decided or not", "[learn]") {
  const auto unit = unit_of("37_gradients");
  auto wide = row(Verdict::inconclusive, 0.067);
  wide.judged.ratio_interval = Interval{.low = 0.01, .high = 0.4};
  wide.judged.flags = {"only 3 of 10 rounds"};
  const auto truth = truth_of(unit, wide);
  CHECK(truth.missing.empty());
  CHECK(truth.said.find("between 2.50 and 100") != std::string::npos);
  CHECK(truth.said.ends_with("; not decided: only 3 of 10 rounds"));
  CHECK(is_right(unit, "3", truth));
  CHECK_FALSE(is_right(unit, "2", truth));
  wide.judged.ratio_interval.reset();
  CHECK(truth_of(unit, wide).undecided);
}

TEST_CASE("a price is right within the factor that the unit allows", "[learn]") {
  const auto unit = unit_of("23_bytes");
  const auto truth = truth_of(unit, 20e-6);
  CHECK(is_right(unit, "30 us", truth));
  CHECK_FALSE(is_right(unit, "30 ms", truth));
  CHECK_FALSE(is_answer(unit, "30"));
  CHECK_FALSE(is_answer(unit, "30 s"));
}
