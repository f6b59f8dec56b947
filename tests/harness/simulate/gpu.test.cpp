#include "harness/simulate/gpu.hpp"

#include "harness/core/setup.hpp"
#include "harness/simulate/scale.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

namespace {

using namespace harness;
using namespace harness::simulate;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;

TEST_CASE("every GPU that is named can be found", "[simulate]") {
  for (const auto& name : gpu_names()) CHECK(find_gpu(name).name == name);
}

TEST_CASE("every cost names a source that is listed", "[simulate]") {
  const auto book = parse_json(costs_json(), "costs.json");
  for (const auto& value : book["model"]) CHECK(book["sources"].contains(value["source"].get<std::string>()));
}

TEST_CASE("a GPU whose link or calls have no costs is refused by name, with the reason", "[simulate]") {
  CHECK_THROWS_WITH(find_gpu("gh200"), ContainsSubstring("gh200") && ContainsSubstring("NVLink-C2C"));
  CHECK_THROWS_WITH(find_gpu("mi300x"), ContainsSubstring("HIP"));
}

TEST_CASE("a GPU without a source is refused by name, with the reason", "[simulate]") {
  CHECK_THROWS_WITH(find_gpu("orin"), ContainsSubstring("orin") && ContainsSubstring("no source"));
}

TEST_CASE("an unknown GPU is refused with what was meant", "[simulate]") {
  CHECK_THROWS_WITH(find_gpu("a31"),
                    ContainsSubstring("unknown GPU; known are ") && EndsWith("; did you mean 'a30'?"));
}

TEST_CASE("a value that a sheet lacks is named when it is needed", "[simulate]") {
  CHECK_THROWS_WITH(find_gpu("gtx680")["fp32"],
                    ContainsSubstring("GTX 680") && ContainsSubstring("--set fp32="));
}

TEST_CASE("a value can be changed, and only one that there is", "[simulate]") {
  auto gpu = find_gpu("a30");
  set_value(gpu, "memory_rate=800");
  CHECK(gpu["memory_rate"] == 800);
  CHECK_THROWS_AS(set_value(gpu, "memory_rat=800"), BadInput);
  CHECK_THROWS_AS(set_value(gpu, "memory_rate=-1"), BadInput);
  CHECK_THROWS_AS(set_value(gpu, "memory_rate"), BadInput);
}

TEST_CASE("what is counted takes whole numbers only", "[simulate]") {
  auto gpu = find_gpu("a30");
  for (const auto* name : {"multiprocessors", "copy_engines", "queue_length", "link_generation"}) {
    CHECK_THROWS_WITH(set_value(gpu, name + std::string("=1.5")), ContainsSubstring("whole number"));
    CHECK_THROWS_WITH(set_value(gpu, name + std::string("=1e300")), ContainsSubstring("whole number"));
    CHECK_NOTHROW(set_value(gpu, name + std::string("=2")));
  }
  CHECK_NOTHROW(set_value(gpu, "memory_rate=1.5"));
}

TEST_CASE("a value is a finite number above 0", "[simulate]") {
  auto gpu = find_gpu("a30");
  for (const auto* number : {"nan", "inf", "-inf", "-1", "0", "1e999", "", "1x"})
    CHECK_THROWS_AS(set_value(gpu, std::string("memory_rate=") + number), BadInput);
}

TEST_CASE("a value that the sheet lacks and others have can be given", "[simulate]") {
  auto gpu = find_gpu("gtx680");
  for (const auto* setting : {"fp32=3", "multiprocessors=8", "memory_rate=190", "staging_rate=2"})
    CHECK_NOTHROW(set_value(gpu, setting));
  CHECK_THROWS_WITH(set_value(gpu, "fp23=3"), ContainsSubstring("did you mean 'fp32'"));
}

TEST_CASE("a sweep over what is counted has whole numbers, each once", "[simulate]") {
  const auto gpu = find_gpu("a30");
  CHECK(parse_sweep("multiprocessors=1..4", gpu).values == std::vector<double>{1, 2, 3, 4});
  CHECK(parse_sweep("memory_rate=300..8000", gpu).values.size() == 8);
  CHECK_THROWS_WITH(parse_sweep("multiprocessors=1.5..4", gpu),
                    ContainsSubstring("--sweep") && ContainsSubstring("whole number"));
  CHECK_THROWS_WITH(parse_sweep("memory_rat=1..2", gpu), ContainsSubstring("did you mean 'memory_rate'"));
}

TEST_CASE("streams of devices before Kepler GK110 share one queue", "[simulate]") {
  CHECK(rules_of(find_gpu("c2050")).one_queue);
  CHECK_FALSE(rules_of(find_gpu("k20c")).one_queue);
  CHECK(rules_of(find_gpu("c1060")).copy_engines == 1);
}

}  // namespace
