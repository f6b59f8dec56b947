#include "microbench/dataload/file_bytes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <sys/stat.h>
#include <vector>

namespace {

using namespace microbench;

std::vector<std::byte> pattern() {
  std::vector<std::byte> bytes(3 * 4096 + 5);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i % 251);
  return bytes;
}

TEST_CASE("a temporary file gives back what was put into it, by reading and by mapping", "[dataload]") {
  const auto bytes = pattern();
  const TemporaryFile file(bytes);
  CHECK(file.size() == bytes.size());
  std::vector<std::byte> read(bytes.size());
  file.read(read);
  CHECK(read == bytes);
  CHECK(std::ranges::equal(Pages::of(file).bytes(), bytes));
}

TEST_CASE("a temporary file has no name", "[dataload]") {
  const TemporaryFile file(pattern());
  struct stat facts{};
  REQUIRE(fstat(file.get(), &facts) == 0);
  CHECK(facts.st_nlink == 0);
}

TEST_CASE("fresh pages are zero and can be written", "[dataload]") {
  const auto pages = Pages::fresh(4096);
  CHECK(std::ranges::all_of(pages.bytes(), [](std::byte b) { return b == std::byte{0}; }));
  pages.bytes()[7] = std::byte{1};
  CHECK(pages.bytes()[7] == std::byte{1});
}

}  // namespace
