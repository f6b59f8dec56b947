#include "harness/simulate/gpu.hpp"

#include "harness/core/setup.hpp"
#include "harness/simulate/embedded.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

namespace {

using namespace harness;
using namespace harness::simulate;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("every GPU that is named can be found", "[simulate]") {
  for (const auto& name : gpu_names()) CHECK(find_gpu(name).name == name);
}

TEST_CASE("every value of gpus.json names a source that is listed", "[simulate]") {
  const auto book = parse_json(gpus_json(), "gpus.json");
  for (const auto& sheet : book["gpus"])
    for (const auto& value : sheet)
      if (value.is_array()) CHECK(book["sources"].contains(value[1].get<std::string>()));
  for (const auto& value : book["model"]) CHECK(book["sources"].contains(value["source"].get<std::string>()));
}

TEST_CASE("a GPU without a source is refused by name, with the reason", "[simulate]") {
  CHECK_THROWS_WITH(find_gpu("orin"), ContainsSubstring("orin") && ContainsSubstring("no source"));
}

TEST_CASE("an unknown GPU is refused with what was meant", "[simulate]") {
  CHECK_THROWS_WITH(find_gpu("a31"), ContainsSubstring("did you mean 'a30'"));
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

TEST_CASE("streams of devices before Kepler GK110 share one queue", "[simulate]") {
  CHECK(rules_of(find_gpu("c2050")).one_queue);
  CHECK_FALSE(rules_of(find_gpu("k20c")).one_queue);
  CHECK(rules_of(find_gpu("c1060")).copy_engines == 1);
}

}  // namespace
