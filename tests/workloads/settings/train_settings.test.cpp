#include "workloads/settings/train_settings.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace {

using Catch::Matchers::ContainsSubstring;
using harness::Options;
using workloads::settings::TrainSettings;

TEST_CASE("a setting that was not given has its standard", "[settings]") {
  const Options none;
  TrainSettings given(none);
  CHECK(given.count("batch_size", 16) == 16);
  CHECK(given.factor("learning_rate", 1) == 1);
  CHECK(given.word("precision", {"fp32", "bf16"}) == "fp32");
  CHECK_FALSE(given.yes("pinned"));
  CHECK_NOTHROW(given.check_all_known());
}

TEST_CASE("a setting is what was given", "[settings]") {
  const Options options{{"workers", "0"}, {"learning_rate", "0.5"}, {"precision", "bf16"}, {"pinned", "yes"}};
  TrainSettings given(options);
  CHECK(given.count("workers", 2, 0) == 0);
  CHECK(given.factor("learning_rate", 1) == 0.5);
  CHECK(given.word("precision", {"fp32", "bf16"}) == "bf16");
  CHECK(given.yes("pinned"));
  CHECK_NOTHROW(given.check_all_known());
}

TEST_CASE("a wrong setting is one sentence that names it", "[settings]") {
  const Options options{
      {"batch_size", "0"}, {"learning_rate", "-1"}, {"precision", "fp8"}, {"colour", "red"}};
  TrainSettings given(options);
  CHECK_THROWS_WITH(given.count("batch_size", 16),
                    ContainsSubstring("batch_size=0 is not a whole number from 1"));
  CHECK_THROWS_WITH(given.factor("learning_rate", 1),
                    ContainsSubstring("learning_rate=-1 is not a number above 0"));
  CHECK_THROWS_WITH(given.word("precision", {"fp32", "bf16"}),
                    ContainsSubstring("expected one of fp32, bf16"));
  CHECK_THROWS_WITH(
      given.check_all_known(),
      ContainsSubstring("colour=red: there is no such setting; there are batch_size (a whole number)"));
}

}  // namespace
