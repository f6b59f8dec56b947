// Needs Python's torch and a C++ compiler; takes a minute.
#include "harness/libtorch/package.hpp"

#include "tests/folder.hpp"

#include "harness/support/field.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/replace_file.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace harness;
using Catch::Matchers::ContainsSubstring;
using tests::Folder;
namespace fs = std::filesystem;

/// What is written to standard error until this ends, in a file.
class Errors {
 public:
  explicit Errors(const fs::path& file) : before_(dup(2)) {
    const auto now = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(now, 2);
    close(now);
  }
  Errors(const Errors&) = delete;
  Errors& operator=(const Errors&) = delete;
  ~Errors() {
    dup2(before_, 2);
    close(before_);
  }

 private:
  int before_;
};

constexpr auto function = "def step(x):\n    return (x + 1,)\n";

at::Tensor answer() {
  const std::vector inputs{at::ones({4})};
  return CompiledPackage({.step = "compile/made_up", .source = function, .inputs = inputs})(inputs).front();
}

/// The package of the function in the cache of this test's environment.
fs::path package_in_cache() {
  answer();
  const auto folder = cache_file("compiled", "")->parent_path();
  for (const auto& entry : fs::directory_iterator(folder)) {
    auto file = entry.path();
    if (file.extension() != ".json") continue;
    const auto note = parse_json(read_text(file, 1 << 20), file.string());
    if (note.contains("job") && note["job"]["source"] == function) return file.replace_extension(".pt2");
  }
  throw std::logic_error("the package that was made is not in its folder");
}

/// The same file for another processor: the code in it says so.
void make_foreign(const fs::path& package) {
  constexpr std::size_t machine = 18;  // the field e_machine
  constexpr char aarch64 = static_cast<char>(183);
  auto bytes = read_text(package, std::uint64_t{1} << 30);
  const auto code = bytes.find(
      "\x7f"
      "ELF");
  REQUIRE(code != std::string::npos);
  bytes[code + machine] = aarch64;
  std::ofstream(package) << bytes;
}

/// The note is one of an older program, so that LibTorch alone can notice.
void check_made_again(const fs::path& package) {
  std::ofstream(fs::path(package).replace_extension(".json")) << R"({"seconds": 7})";
  const Folder folder;
  const auto said = folder.path() / "said";
  const auto given = [&] {
    const Errors errors(said);
    return answer();
  }();
  REQUIRE(at::equal(given, at::full({4}, 2.0)));  // CHECK is c10's in this file
  const auto text = read_text(said, 1 << 20);
  CHECK_THAT(text.substr(0, text.find('\n')),
             ContainsSubstring(package.string()) && ContainsSubstring("; it is made again"));
}

TEST_CASE("a package that LibTorch cannot load is named and made again", "[package]") {
  try {
    const auto package = package_in_cache();
    SECTION("it is cut in the middle") { fs::resize_file(package, fs::file_size(package) / 2); }
    SECTION("it is empty") { fs::resize_file(package, 0); }
    SECTION("it is a text") { std::ofstream(package) << "a text\n"; }
    SECTION("it is another processor's") { make_foreign(package); }
    check_made_again(package);
  } catch (const Skip& reason) {
    SKIP(reason.what());
  }
}

}  // namespace
