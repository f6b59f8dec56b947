#include "harness/record/read_text.hpp"

#include "harness/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace harness {
namespace {

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
  CHECK_THROWS_WITH(read_text("/", 1), "/: cannot be read");
}

}  // namespace
}  // namespace harness
