#include "workloads/settings/train_settings.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

namespace {

using harness::BadInput;
using harness::Options;
using namespace workloads::settings;

TEST_CASE("a count that was not given is the usual one", "[number_options]") {
  CHECK(count_option({}, "batch-size", 16) == 16);
  CHECK(count_option({{"batch-size", "6"}}, "batch-size", 16) == 6);
}

TEST_CASE("numbers of the workloads that are none are refused before a worker starts", "[number_options]") {
  for (const auto* text : {"0", "-1", "1e3", "1.5", "many", "", "1000001"}) {
    INFO(text);
    for (const auto* name : {"batch-size", "epochs", "log-every"})
      CHECK_THROWS_AS(check_numbers({{name, text}}), BadInput);
  }
  for (const auto* text : {"0", "-1G", "512Q", ""}) {
    INFO(text);
    CHECK_THROWS_AS(check_numbers({{"memory", text}}), BadInput);
  }
  CHECK_NOTHROW(check_numbers({{"batch-size", "1"}, {"epochs", "1000000"}, {"memory", "512M"}}));
}

TEST_CASE("a size that is none is named, with one that would do", "[number_options]") {
  CHECK_THROWS_WITH(size_option({{"memory", "-1G"}}, "memory"),
                    "--memory: '-1G' is not a size like 512M or 2G");
  CHECK(size_option({{"memory", "2K"}}, "memory") == 2048);
}

}  // namespace
