#include "microbench/host_time.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

TEST_CASE("what comes before a timed call comes before each pass of it", "[host_time]") {
  std::string log;
  const double seconds = microbench::typical_host_seconds([&] { log += 'b'; }, [&] { log += 'c'; });
  CHECK(seconds >= 0);
  const auto passes = log.size() / 2;
  CHECK(passes >= 5);
  CHECK(passes <= 21);
  std::string expected;
  for (std::size_t i = 0; i < passes; ++i) expected += "bc";
  CHECK(log == expected);
}
