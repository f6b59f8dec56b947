#include "prices/out_file.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using prices::OutFile;

/// A folder with a file "out" that says "old"; gone afterwards.
class Folder {
 public:
  Folder() {
    std::string name = fs::temp_directory_path() / "tuneproof.XXXXXX";
    path_ = mkdtemp(name.data());
    std::ofstream(path_ / "out") << "old";
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  fs::path operator/(const char* name) const { return path_ / name; }
  std::string text() const {
    std::ifstream in(path_ / "out");
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("what was written to --benchmark_out is in the file once it is kept, and not before",
          "[out_file]") {
  const Folder folder;
  const OutFile out(folder / "out");
  std::ofstream(out.place()) << "new";
  CHECK(folder.text() == "old");
  out.keep();
  CHECK(folder.text() == "new");
}

TEST_CASE("a file to which nothing was written stays as it was", "[out_file]") {
  const Folder folder;
  const OutFile out(folder / "out");
  std::ofstream(out.place()).flush();
  out.keep();
  CHECK(folder.text() == "old");
}

TEST_CASE("a file that cannot be written is refused before anything is measured", "[out_file]") {
  const Folder folder;
  CHECK_THROWS_MATCHES(OutFile(folder / "none/out"), harness::BadInput,
                       MessageMatches(ContainsSubstring("none/out: cannot be written: No such file")));
  CHECK_THROWS_MATCHES(OutFile(folder / ""), harness::BadInput,
                       MessageMatches(ContainsSubstring("is a folder, not a file")));
}

TEST_CASE("a device gets what was written, and says when it is full", "[out_file]") {
  const OutFile nothing("/dev/null");
  std::ofstream(nothing.place()) << "new";
  CHECK_NOTHROW(nothing.keep());
  const OutFile full("/dev/full");
  std::ofstream(full.place()) << "new";
  CHECK_THROWS_MATCHES(full.keep(), harness::BadInput,
                       MessageMatches(ContainsSubstring("/dev/full: cannot be written: No space left")));
}
