#include "harness/machine/instructions.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <stdexcept>

using namespace harness;

TEST_CASE("a dump of callgrind states its cost on the line of the totals", "[instructions]") {
  CHECK(callgrind_cost("version: 1\nevents: Ir\nfn=(1) work\n5 120\n\ntotals: 1425570956\n") == 1425570956);
  CHECK_FALSE(callgrind_cost("version: 1\nevents: Ir\n"));  // was cut
  CHECK_FALSE(callgrind_cost("totals: \n"));
}

TEST_CASE("where the kernel counts, more work has more instructions; where it does not, it says why",
          "[instructions]") {
  const auto work = [](int n) {
    volatile int sum = 0;
    for (int i = 0; i < n; ++i) sum = sum + i;
  };
  if (!why_no_counter().empty()) {
    CHECK_THROWS_AS(InstructionCount(std::filesystem::path()), std::runtime_error);
    return;
  }
  InstructionCount count{std::filesystem::path()};
  const auto few = count.of([&] { work(10'000); });
  const auto many = count.of([&] { work(100'000); });
  CHECK(few > 10'000);
  CHECK(many > 5 * few);
}

TEST_CASE("without callgrind there is no dump, and the count says so", "[instructions]") {
  InstructionCount count(std::filesystem::temp_directory_path());
  CHECK_THROWS_AS(count.of([] {}), std::runtime_error);
}
