#include "harness/machine/heap.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <memory>
#include <sys/resource.h>

namespace harness::inline machine {
namespace {

/// Page faults that taking, filling and giving back a large block costs.
long faults_of_a_block() {
  constexpr std::size_t bytes = std::size_t{64} << 20;
  constexpr std::size_t page = 4096;
  const auto faults = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
  };
  const auto before = faults();
  const auto block = std::make_unique_for_overwrite<std::byte[]>(bytes);
  volatile std::byte* const touched = block.get();  // else the compiler sees that nobody reads it
  for (std::size_t i = 0; i < bytes; i += page) touched[i] = std::byte{1};
  return faults() - before;
}

TEST_CASE("A large block that was freed is handed out again without a page fault", "[heap]") {
#if defined(__SANITIZE_ADDRESS__)
  SKIP("AddressSanitizer has a heap of its own");
#endif
  keep_freed_memory();
  const auto first = faults_of_a_block();
  REQUIRE(first > 0);
  CHECK(faults_of_a_block() < first / 10);
}

}  // namespace
}  // namespace harness::inline machine
