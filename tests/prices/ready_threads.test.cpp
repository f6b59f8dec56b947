#include "prices/ready_threads.hpp"

#include <catch2/catch_test_macros.hpp>

#include <vector>

using namespace prices;

TEST_CASE("each member does its part, every time", "[prices]") {
  for (const int members : {1, 3}) {
    Team team(members);
    std::vector<int> done(static_cast<std::size_t>(members));
    for (int i = 0; i < 5; ++i) team.run([&](int part) { ++done[static_cast<std::size_t>(part)]; });
    CHECK(done == std::vector<int>(static_cast<std::size_t>(members), 5));
  }
}

TEST_CASE("the parts are all of it, and none twice", "[prices]") {
  std::size_t next = 0;
  for (int part = 0; part < 3; ++part) {
    const auto [first, last] = part_of(10, part, 3);
    CHECK(first == next);
    next = last;
  }
  CHECK(next == 10);
}
