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

TEST_CASE("a temporary file that was evicted is read from its disk, and past the page cache too",
          "[dataload]") {
  std::vector<std::byte> bytes(4 * 4096);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i % 251);
  const TemporaryFile file(bytes);
  const auto mapped = Pages::of(file);
  CHECK(mapped.in_memory());
  file.flush();
  file.evict();
  if (mapped.in_memory()) SKIP("the folder for temporary files is in memory");
  const auto pages = Pages::fresh(bytes.size());
  if (!file.read_direct(pages.bytes())) SKIP("its file system has no O_DIRECT");
  CHECK(std::ranges::equal(pages.bytes(), bytes));
  CHECK_FALSE(mapped.in_memory());  // past the page cache means: it was not filled
  file.read(pages.bytes());
  CHECK(mapped.in_memory());
}

TEST_CASE("memory that the system may not write to is refused, not an error", "[dataload]") {
  const TemporaryFile file(std::vector<std::byte>(4096));
  const auto read_only = Pages::of(file);
  CHECK_FALSE(file.reads_direct_into(read_only.bytes()));
}

TEST_CASE("what may be read directly is read so", "[dataload]") {
  const TemporaryFile file(std::vector<std::byte>(4096, std::byte{5}));
  const auto pages = Pages::fresh(4096);
  if (!file.reads_direct_into(pages.bytes())) SKIP("the folder for temporary files has no O_DIRECT");
  CHECK(pages.bytes()[4095] == std::byte{5});
}

TEST_CASE("fresh pages are zero and can be written", "[dataload]") {
  const auto pages = Pages::fresh(4096);
  CHECK(std::ranges::all_of(pages.bytes(), [](std::byte b) { return b == std::byte{0}; }));
  pages.bytes()[7] = std::byte{1};
  CHECK(pages.bytes()[7] == std::byte{1});
}

}  // namespace
