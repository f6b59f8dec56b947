#include "harness/catalogue/catalogue.hpp"

#include <catch2/catch_test_macros.hpp>

namespace harness::catalogue {
namespace {

catalogue::Row row_at(std::int64_t n, Device::Kind device, bool quick, bool full = true) {
  catalogue::Row row;
  row.at = {{"n", n, std::to_string(n)}};
  row.device = device;
  row.quick = quick;
  row.full = full;
  return row;
}

TEST_CASE("a point that is a row on a device alone is among the points, and says so", "[explain]") {
  using enum Device::Kind;
  catalogue::Step step;
  step.runs = Runs::each;
  step.rows = {row_at(1, cpu, true), row_at(1, cuda, true), row_at(2, cuda, false),
               row_at(3, cuda, false, false)};
  CHECK(points_text(step) ==
        "n:1, n:2* (CUDA), n:3** (CUDA) (* not in --suite quick; ** in no suite; select it by name or "
        "--point)");
}

TEST_CASE("a step of one kind of devices names none, and one without axes has one point", "[explain]") {
  catalogue::Step step;
  step.runs = Runs::cuda;
  step.rows = {row_at(1, Device::Kind::cuda, true)};
  CHECK(points_text(step) == "n:1");
  step.rows.front().at.clear();
  CHECK(points_text(step) == "one");
  step.rows.front().quick = false;
  CHECK(points_text(step) == "one* (* not in --suite quick)");
}

}  // namespace
}  // namespace harness::catalogue
