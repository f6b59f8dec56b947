#include "harness/versus/session.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <utility>
#include <vector>

namespace harness::versus {
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

}  // namespace
}  // namespace harness::versus
