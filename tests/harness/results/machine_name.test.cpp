#include "harness/results/fingerprint.hpp"

#include <catch2/catch_test_macros.hpp>

namespace harness::results {
namespace {

TEST_CASE("a processor is called by its model and its cores", "[fingerprint]") {
  CHECK(cpu_name({{"cpu_model", "AMD EPYC"}, {"physical_cores", 2}}) == "AMD EPYC (2 cores)");
  CHECK(cpu_name({{"cpu_model", "AMD EPYC"}, {"physical_cores", 1}}) == "AMD EPYC (1 core)");
  CHECK(cpu_name({{"cpu_model", "AMD EPYC"}}) == "AMD EPYC");
}

TEST_CASE("a machine that does not say what it is has no name", "[fingerprint]") {
  for (const auto& machine :
       {Json::object(), Json(nullptr), Json("AMD"), Json{{"cpu_model", 3}, {"gpu", 4}}}) {
    CHECK(cpu_name(machine) == "unknown");
    CHECK(gpu_name(machine).empty());
  }
}

TEST_CASE("a GPU is called by its model", "[fingerprint]") {
  CHECK(gpu_name({{"cpu_model", "AMD EPYC"}, {"gpu", {{"name", "NVIDIA A30"}}}}) == "NVIDIA A30");
  CHECK(gpu_name({{"cpu_model", "AMD EPYC"}, {"gpu", nullptr}}).empty());
}

}  // namespace
}  // namespace harness::results
