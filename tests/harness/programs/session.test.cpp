#include "harness/programs/session.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <utility>
#include <vector>

namespace harness::programs {
namespace {

NvmlReport report_of(std::vector<std::string> names) {
  NvmlReport report;
  for (auto& name : names) report.gpus.emplace_back().name = std::move(name);
  return report;
}

TEST_CASE("a results file of commands names the GPUs that the driver lists", "[versus]") {
  CHECK(probe_of({}).empty());
  CHECK(probe_of(report_of({"NVIDIA H100"}))["gpu"]["name"] == "NVIDIA H100");
  CHECK(probe_of(report_of({"A", "B", "A"}))["gpu"]["name"] == "2 x A, B");
}

/// The looks of a session that compares so many commands, the first one included.
std::vector<int> looks_of(int commands) {
  Plan plan;
  for (int i = 0; i < commands; ++i)
    plan.candidates.push_back({.name = std::to_string(i), .command = "true"});
  return open_session(plan, 0.03, "1", {}).session.looks;
}

TEST_CASE("a session of several commands looks where its rows have an interval", "[versus]") {
  CHECK(looks_of(2) == std::vector{10, 14, 21, 35, 56});
  CHECK(looks_of(3) == std::vector{11, 14, 21, 35, 56});
  CHECK(looks_of(10) == std::vector{14, 21, 35, 56});
}

}  // namespace
}  // namespace harness::programs
