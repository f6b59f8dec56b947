// Which row of a step is like the program that was recorded.
#include "harness/trace/worth.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace {

using namespace harness;
using namespace harness::trace;

catalogue::Row row(const std::string& workers, std::int64_t batch, bool quick) {
  return {.name = "row",
          .at = {{.axis = "workers", .value = std::stoll(workers), .text = workers},
                 {.axis = "batch", .value = batch, .text = std::to_string(batch)}},
          .quick = quick};
}

catalogue::Step step() {
  catalogue::Step step;
  step.axes = {{"workers", "worker processes"}, {"batch", "samples in each batch"}};
  step.rows = {row("0", 16, true), row("4", 16, false), row("4", 256, false)};
  return step;
}

ProgramFacts program(int workers, int batch) {
  ProgramFacts facts;
  facts.known = true;
  facts.loader.emplace();
  facts.loader->workers = workers;
  facts.loader->batch = batch;
  return facts;
}

TEST_CASE(
    "the row whose sizes are nearest to the program's is measured, and its sizes stand beside the program's",
    "[trace][resemblance]") {
  const auto rows = step();
  CHECK(most_alike(rows, Device::Kind::cpu, program(0, 32)) == &rows.rows[0]);
  CHECK(most_alike(rows, Device::Kind::cpu, program(3, 20)) == &rows.rows[1]);
  const auto* large = most_alike(rows, Device::Kind::cpu, program(6, 512));
  REQUIRE(large == &rows.rows[2]);
  CHECK(resemblance(rows, *large, program(6, 512))->words == "workers 4 (here 6), batch 256 (here 512)");
}

TEST_CASE("a program whose sizes are not known gets the first quick row", "[trace][resemblance]") {
  auto rows = step();
  CHECK_FALSE(resemblance(rows, rows.rows[0], {}));
  CHECK(most_alike(rows, Device::Kind::cpu, {}) == &rows.rows[0]);
  rows.rows[0].quick = false;
  rows.rows[2].quick = true;
  CHECK(most_alike(rows, Device::Kind::cpu, {}) == &rows.rows[2]);
  CHECK(most_alike(rows, Device::Kind::cuda, {}) == nullptr);
}

}  // namespace
