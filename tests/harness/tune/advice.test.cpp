#include "harness/tune/advice.hpp"

#include "tests/harness/tune/fake_workload.hpp"

#include <catch2/catch_test_macros.hpp>

namespace harness::tune {
namespace {

TEST_CASE("what differs from the standard settings is said in the user's own code", "[advice]") {
  const auto plan = example::fake_plan();
  CHECK(in_own_code(plan, example::with(plan, {{"batch", "32"}, {"format", "bf16"}})) ==
        std::vector<std::string>{"batch 32: DataLoader(batch_size=32)", "format bf16"});
  CHECK(in_own_code(plan, standard_of(plan)).empty());
}

TEST_CASE("the file of settings names workload, knobs and the options that they were found for", "[advice]") {
  auto plan = example::fake_plan();
  plan.options = {{"text", "play.txt"}};
  const auto file = settings_file(plan, standard_of(plan));
  CHECK(file["schema"] == "tuneproof-settings/1");
  CHECK(file["workload"] == "fake");
  CHECK(file["knobs"]["batch"] == "8");
  CHECK(file["options"]["text"] == "play.txt");
}

}  // namespace
}  // namespace harness::tune
