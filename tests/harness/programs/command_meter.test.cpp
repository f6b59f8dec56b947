#include "harness/programs/command_meter.hpp"

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <string>

namespace harness::programs {
namespace {

using std::chrono::steady_clock;

/// How long all of it took where the cleanup has so long, and whether that is reported.
struct Cleaned {
  Seconds took{};
  bool broken = false;
};

Cleaned cleaned_up(const std::string& cleanup, Seconds most, const std::string& timeout = "1h") {
  const Plan plan{.candidates = {{.name = "a", .command = "true"}}, .cleanup = cleanup, .timeout = timeout};
  run::RunOutput output("");
  SignalWatch signals;
  CommandMeter meter(plan, output, signals);
  meter.clean_up_within(most);
  const auto begin = steady_clock::now();
  meter.between_hooks([] {});
  return {steady_clock::now() - begin, output.broken()};
}

TEST_CASE("a cleanup that hangs is ended where the budget says so, and reported", "[versus]") {
  const auto ended = cleaned_up("sleep 1000", Seconds(0.2));
  CHECK(ended.broken);
  CHECK(ended.took >= Seconds(0.2));
  CHECK(ended.took < Seconds(100));
}

TEST_CASE("a cleanup that hangs is ended by the time limit of commands, if that is shorter", "[versus]") {
  CHECK(cleaned_up("sleep 1000", Seconds(500), "1s").broken);
}

TEST_CASE("a cleanup has its time although the runs have used up theirs", "[versus]") {
  CHECK_FALSE(cleaned_up("true", Seconds(100)).broken);
}

}  // namespace
}  // namespace harness::programs
