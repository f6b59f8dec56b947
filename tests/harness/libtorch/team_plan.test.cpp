#include "harness/libtorch/team.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <string>

namespace {

using namespace harness;

TEST_CASE("a row has two ranks unless the user says otherwise", "[ranks]") {
  Setup setup;
  CHECK(plan_of(setup).size == 2);
  setup.options["ranks"] = "4";
  CHECK(plan_of(setup).size == 4);
}

TEST_CASE("what is no number of ranks is wrong input", "[ranks]") {
  Setup setup;
  for (const auto* text : {"0", "-1", "two", "2.5", "1000000"}) {
    INFO(text);
    setup.options["ranks"] = text;
    CHECK_THROWS_AS(plan_of(setup), BadInput);
  }
}

TEST_CASE("ranks lose patience before the row's time is over", "[ranks]") {
  Setup setup;
  setup.options[std::string(row_timeout)] = "6";
  CHECK(plan_of(setup).patience.count() == 2000);
  setup.options[std::string(row_timeout)] = "3600";
  CHECK(plan_of(setup).patience.count() == 60'000);
}

}  // namespace
