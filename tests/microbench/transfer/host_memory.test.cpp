#include "microbench/transfer/pages.hpp"
#include "microbench/transfer/shared_memory_use.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

namespace {

using namespace microbench;

TEST_CASE("fresh pages are zero and can be used to the last byte", "[transfer]") {
  const FreshPages pages(3 * page_size);
  const auto bytes = pages.bytes();
  CHECK(bytes.size() == 3 * page_size);
  CHECK(std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; }));
  bytes.back() = std::byte{7};
  CHECK(bytes.back() == std::byte{7});
}

TEST_CASE("any number of threads maps every page once", "[transfer]") {
  for (const std::size_t count : {1U, 2U, 7U, 64U})
    for (const int threads : {1, 2, 3, 8}) {
      INFO(count << " pages, " << threads << " threads");
      const FreshPages pages(count * page_size);
      map_pages(pages.bytes(), threads);
      std::size_t touched = 0;
      for (std::size_t at = 0; at < pages.bytes().size(); at += page_size)
        touched += pages.bytes()[at] == std::byte{1} ? 1U : 0U;
      CHECK(touched == count);
    }
}

TEST_CASE("the sum of the pages' numbers counts each page", "[transfer]") {
  const FreshPages pages(10 * page_size);
  CHECK(use_pages(pages.bytes()) == 55);
}

TEST_CASE("lines are written in any order, each with its own number", "[transfer]") {
  constexpr std::size_t lines = 50;
  std::array<std::byte, lines * cache_line> memory{};
  const auto order = shuffled_lines(memory.size(), 3);
  CHECK(std::set(order.begin(), order.end()).size() == lines);
  CHECK(!std::ranges::is_sorted(order));
  write_lines(memory, order);
  for (std::uint64_t line = 0; line < lines; ++line) {
    std::uint64_t found = 0;
    std::memcpy(&found, memory.data() + line * cache_line, sizeof found);
    CHECK(found == line);
  }
  CHECK(sum_of_words(memory) == lines * (lines - 1) / 2);
}

}  // namespace
