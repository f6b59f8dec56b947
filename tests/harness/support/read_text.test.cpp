#include "harness/support/read_text.hpp"

#include "tests/packed.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace harness::inline support {
namespace {

using tests::packed;

struct File {
  explicit File(const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { std::filesystem::remove(path); }
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tuneproof-text-" + std::to_string(getpid()));
};

TEST_CASE("A file is read whole, with every byte", "[read_text]") {
  std::string text(3 << 20, 'x');
  text[5] = '\0';
  const File file(text);
  CHECK(read_text(file.path, text.size()) == text);
}

TEST_CASE("A packed file is unpacked, one gzip member or several", "[read_text]") {
  const std::string text(100'000, 'x');
  const File file(packed(text) + packed("tail"));
  CHECK(read_text(file.path, 1 << 20) == text + "tail");
}

TEST_CASE("A packed file that unpacks beyond the limit is refused, whatever it says of its size",
          "[read_text]") {
  auto bomb = packed(std::string(3 << 20, 'x'));
  const auto refusal = ": unpacks to more than the 1048576 bytes allowed";
  {
    const File file(bomb);
    CHECK_THROWS_WITH(read_text(file.path, 1 << 20), file.path.string() + refusal + ", or is truncated");
  }
  bomb.replace(bomb.size() - 4, 4, std::string("\x01\0\0\0", 4));
  const File file(bomb);
  CHECK_THROWS_WITH(read_text(file.path, 1 << 20), file.path.string() + refusal);
}

TEST_CASE("A packed file that was cut short is refused at any length", "[read_text]") {
  const auto whole = packed("hello, hello, hello");
  for (std::size_t length = 2; length < whole.size(); ++length) {
    const File file(whole.substr(0, length));
    CHECK_THROWS_AS(read_text(file.path, 1 << 20), BadInput);
  }
}

TEST_CASE("A file that is larger than allowed is refused", "[read_text]") {
  const File file(std::string((1 << 20) + 1, 'x'));
  CHECK_THROWS_WITH(read_text(file.path, 1 << 20), file.path.string() + ": is too large: more than 1 MiB");
}

TEST_CASE("What never ends is refused like any large file", "[read_text]") {
  CHECK_THROWS_WITH(read_text("/dev/zero", 1 << 20), "/dev/zero: is too large: more than 1 MiB");
}

TEST_CASE("A folder and a file that is not there say why they cannot be read", "[read_text]") {
  CHECK_THROWS_WITH(read_text("/nowhere/r.json", 1),
                    "/nowhere/r.json: cannot be read: No such file or directory");
  CHECK_THROWS_WITH(read_text("/", 1), "/: is a folder, not a file");
}

}  // namespace
}  // namespace harness::inline support
