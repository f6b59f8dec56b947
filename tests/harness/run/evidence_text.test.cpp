#include "tests/harness/run/rows.hpp"

#include "harness/run/row_view.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include <vector>

using namespace harness;
using namespace harness::results;
using namespace harness::run;

namespace {

Row untold(std::vector<Figure> figures) {
  auto row = example::judged(example::row("a/b", ""), Verdict::inconclusive, {1, 0.98}, {0.9, 1.05});
  row.rounds = 14;
  row.measured.figures = std::move(figures);
  return row;
}

CpuTime cpu(Verdict verdict) {
  return {.ratio = 0.877, .ratio_interval = Interval{0.87, 0.885}, .verdict = verdict};
}

const Figure operators{"operators called", "calls", 1000, 688};
const Figure instructions{"instructions", "instructions", 100'000, 59'000};
const Figure memory{"memory allocated", "B", 1024, 3072};

TEST_CASE("counts decide a row that time does not", "[evidence]") {
  const auto row = untold({operators, instructions});
  CHECK(told_otherwise(row));
  CHECK(decided_by(row).empty());
  CHECK(evidence_sentence(row) ==
        "time cannot tell; does less work: 312 operators fewer, 41 % of the instructions less");
}

/// A row on a device whose slots keep one thread of the host at work for that share of their time.
Row on_device(std::vector<Figure> figures, double cpu_share) {
  auto row = untold(std::move(figures));
  row.device = {Device::Kind::cuda, 0};
  row.delta = 0.03;
  row.measured.samples = {{.form = Form::naive, .seconds = 0.07, .cpu_seconds = 0.07 * cpu_share}};
  return row;
}

TEST_CASE(
    "where the host is busy throughout a row on a device, few calls of many bound what time cannot tell",
    "[evidence]") {
  const auto row = on_device({{"operators called", "calls", 8100, 8096}}, 1);
  CHECK(decided_by(row).empty());
  CHECK(evidence_sentence(row) ==
        "time cannot tell; 4 operators fewer; counted: the host's work differs by at most 0.1 %");
}

TEST_CASE("where the host is busy throughout and no count differs, the row says so", "[evidence]") {
  const auto row = on_device({{"operators called", "calls", 6320, 6320}}, 1);
  CHECK(decided_by(row).empty());
  CHECK(evidence_sentence(row) == "time cannot tell; counted: the host's work does not differ");
  CHECK(evidence_sentence(on_device({{"operators called", "calls", 6320, 6320}}, 0.5)).empty());
}

TEST_CASE("counts bound nothing where the host is idle meanwhile, where many calls differ, or on the host",
          "[evidence]") {
  const auto fewer = [](int count) {
    return fmt::format("time cannot tell; does less work: {} operators fewer", count);
  };
  CHECK(evidence_sentence(on_device({{"operators called", "calls", 8100, 8096}}, 0.5)) == fewer(4));
  CHECK(evidence_sentence(on_device({{"operators called", "calls", 8100, 7800}}, 1)) == fewer(300));
  CHECK(evidence_sentence(untold({{"operators called", "calls", 8100, 8096}})) == fewer(4));
}

TEST_CASE("one of a kind is told in the singular", "[evidence]") {
  const auto row = untold({{"operators called", "calls", 7, 6}, {"numbers read", "calls", 1, 0}});
  CHECK(evidence_text(row) == "does less work: 1 operator and 1 number read back fewer");
}

TEST_CASE("calls that a workload counts as well are told once", "[evidence]") {
  const auto row =
      untold({{"ATen operators per eval", "calls", 8100, 8096}, {"operators called", "calls", 8100, 8096}});
  CHECK(evidence_text(row) == "does less work: 4 operators fewer");
}

TEST_CASE("rank 0's counts and CPU time decide no row of several ranks: work may have moved between them",
          "[evidence]") {
  auto row = untold({{"rank 0, time of a run", "s", 8.7e-3, 6.2e-3},
                     {"rank 1, time of a run", "s", 3.5e-3, 5.8e-3},
                     operators});
  row.cpu = cpu(Verdict::helps);
  CHECK_FALSE(told_otherwise(row));
  CHECK(decided_by(row).empty());
}

TEST_CASE("counts that point both ways leave it to the CPU time", "[evidence]") {
  auto row = untold({operators, memory});
  CHECK_FALSE(told_otherwise(row));
  CHECK(decided_by(row).empty());
  row.cpu = cpu(Verdict::inconclusive);
  CHECK(evidence_text(row) == "312 operators fewer; 2.00 KiB of memory more");
  row.cpu = cpu(Verdict::helps);
  CHECK(told_otherwise(row));
  CHECK(evidence_text(row) ==
        "312 operators fewer; 2.00 KiB of memory more; less CPU time: -12.3 % [-13.0, -11.5]");
}

TEST_CASE("counts that the CPU time contradicts leave it to the CPU time", "[evidence]") {
  const Figure blocks{"blocks allocated", "calls", 100, 103};
  auto row = untold({blocks});
  CHECK(evidence_text(row) == "does more work: 3 allocated blocks more");
  row.cpu = cpu(Verdict::helps);
  CHECK(evidence_text(row) == "3 allocated blocks more; less CPU time: -12.3 % [-13.0, -11.5]");
  row.cpu = cpu(Verdict::no_effect);
  CHECK(evidence_text(row) ==
        "does more work: 3 allocated blocks more; the same CPU time: -12.3 % [-13.0, -11.5]");
}

TEST_CASE("CPU time also shows that forms are equal", "[evidence]") {
  auto row = untold({});
  row.cpu = cpu(Verdict::no_effect);
  CHECK(told_otherwise(row));
  CHECK(decided_by(row).empty());
  row.cpu = cpu(Verdict::inconclusive);
  CHECK_FALSE(told_otherwise(row));
}

TEST_CASE("a row that has a verdict, or no look yet, needs no other evidence", "[evidence]") {
  auto row = untold({operators});
  row.judged.verdict = Verdict::helps;
  CHECK(decided_by(row) == "time");
  CHECK(evidence_sentence(row).empty());
  row.judged.verdict = Verdict::inconclusive;
  row.rounds = 0;
  CHECK_FALSE(told_otherwise(row));
}

TEST_CASE("where instructions cannot be told, all takes are shown", "[evidence]") {
  CHECK(why_not_counted({567714, 537821}, {2213, 2214})
            .ends_with(": 567714 and 537821 of the first, 2213 and 2214 of the second"));
  CHECK(why_not_counted({}, {78386, 79447}, true) ==
        "two counts of it lie apart by more than 0.5 %: 78386 and 79447");
}

}  // namespace
