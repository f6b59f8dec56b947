#include "harness/trace/regime.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;
using namespace harness::trace;

Balance mix(double input, double overhead, double memory, double compute) {
  return {.input = input,
          .overhead = overhead,
          .memory = memory,
          .compute = compute,
          .idle = input + overhead,
          .held = input + overhead};
}

TEST_CASE("a share above one half decides alone; one half does not", "[trace][regime]") {
  CHECK(regime_of(mix(0.45, 0, 0.04, 0.51)) == Regime::compute);
  CHECK(regime_of(mix(0.45, 0, 0.05, 0.50)) == Regime::input);
}

TEST_CASE("a device that idles for 30 % is starved; below that it is not", "[trace][regime]") {
  CHECK(regime_of(mix(0.30, 0, 0.30, 0.40)) == Regime::input);
  CHECK(regime_of(mix(0.299, 0, 0.301, 0.40)) == Regime::compute);
}

TEST_CASE("a starved device is bound by the larger of input and overhead", "[trace][regime]") {
  CHECK(regime_of(mix(0.20, 0.19, 0.21, 0.40)) == Regime::input);
  CHECK(regime_of(mix(0.19, 0.20, 0.21, 0.40)) == Regime::overhead);
}

TEST_CASE("idle time that the host is not known to cause starves nobody", "[trace][regime]") {
  CHECK(regime_of({.overhead = 0.05, .compute = 0.50, .unknown = 0.45, .idle = 0.50, .held = 0.05}) ==
        Regime::compute);
}

TEST_CASE("a device that is fed is bound by its largest share", "[trace][regime]") {
  CHECK(regime_of(mix(0.05, 0.05, 0.44, 0.46)) == Regime::compute);
  CHECK(regime_of(mix(0.05, 0.05, 0.46, 0.44)) == Regime::memory);
  auto exposed = mix(0.05, 0.05, 0.20, 0.30);
  exposed.communication = 0.40;
  CHECK(regime_of(exposed) == Regime::communication);
}

TEST_CASE("work of unknown kind cannot be judged when it is the largest part", "[trace][regime]") {
  CHECK(regime_of({.input = 0.1, .unknown = 0.9, .idle = 0.1}) == Regime::unknown);
  CHECK(regime_of({.compute = 0.4, .unknown = 0.3}) == Regime::compute);
  CHECK(regime_of({}) == Regime::unknown);
}

TEST_CASE("the second regime is named from a quarter on", "[trace][regime]") {
  Shares shares{.window_us = 1000};
  shares.us[static_cast<std::size_t>(Use::arithmetic)] = 750;
  shares.us[static_cast<std::size_t>(Use::memory)] = 250;
  CHECK(judge(shares, 1).evidence.find("mixed") != std::string::npos);
  shares.us[static_cast<std::size_t>(Use::arithmetic)] = 751;
  shares.us[static_cast<std::size_t>(Use::memory)] = 249;
  CHECK(judge(shares, 1).evidence.find("mixed") == std::string::npos);
}

TEST_CASE("a verdict words its share, its time and what would change it", "[trace][regime]") {
  Shares shares{.window_us = 2000};
  shares.us[static_cast<std::size_t>(Use::wait_input)] = 1200;
  const auto verdict = judge(shares, 2);
  CHECK(verdict.evidence.starts_with("for 60 % of each step (600 us of 1.00 ms)"));
  CHECK_FALSE(verdict.would_change.empty());
}

TEST_CASE("a verdict names each use that it adds up, the largest first", "[trace][regime]") {
  Shares shares{.window_us = 1000, .of_host = true};
  const auto use = [&](Use of) -> double& { return shares.us[static_cast<std::size_t>(of)]; };
  use(Use::small_operators) = 470;
  use(Use::python) = 480;
  use(Use::outside) = 4;
  CHECK(judge(shares, 1).evidence.ends_with(
      "the training thread runs Python between operators (48 %), or calls operators that cost more to call "
      "than to run (47 %)"));
  use(Use::python) = 4;
  CHECK(judge(shares, 1).evidence.find("Python") == std::string::npos);
}

}  // namespace
