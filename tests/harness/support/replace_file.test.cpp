#include "harness/support/replace_file.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/spawn.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/mount.h>
#include <unistd.h>

namespace harness::inline support {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;

/// A folder that is gone afterwards.
class Folder {
 public:
  Folder() {
    std::string name = fs::temp_directory_path() / "tuneproof.XXXXXX";
    path_ = mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  fs::path operator/(const char* name) const { return path_ / name; }
  std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(path_), {}); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("A file is replaced as a whole, and nothing is left beside it", "[replace_file]") {
  const Folder folder;
  const ReplaceFile file(folder / "r.json");
  CHECK_FALSE(fs::exists(folder / "r.json"));
  file.write("first");
  file.write("second");
  CHECK(text_of(folder / "r.json") == "second");
  CHECK(folder.entries() == 1);
}

TEST_CASE("A file that somebody else has written is known, and taken back where that is asked for",
          "[replace_file]") {
  const Folder folder;
  const ReplaceFile file(folder / "r.xml");
  CHECK_FALSE(file.take_back());  // nobody has written it
  file.write("ours");
  CHECK_FALSE(file.take_back());
  std::ofstream(folder / "r.xml") << "of others";
  CHECK_THROWS_WITH(file.write("ours"), ContainsSubstring("another program has written it meanwhile"));
  CHECK(text_of(folder / "r.xml") == "of others");
  CHECK(file.take_back());
  file.write("ours again");
  CHECK(text_of(folder / "r.xml") == "ours again");
}

TEST_CASE("Looking whether a file can be written leaves it as it is", "[replace_file]") {
  const Folder folder;
  std::ofstream(folder / "r.json") << "old";
  const ReplaceFile file(folder / "r.json");
  CHECK(text_of(folder / "r.json") == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("A replaced file keeps its permissions", "[replace_file]") {
  const Folder folder;
  std::ofstream(folder / "r.json") << "old";
  fs::permissions(folder / "r.json", fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  ReplaceFile(folder / "r.json").write("new");
  CHECK(fs::status(folder / "r.json").permissions() ==
        (fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read));
}

TEST_CASE("A link stays a link; what it points at is replaced", "[replace_file]") {
  const Folder folder;
  std::ofstream(folder / "real.json") << "old";
  fs::create_symlink("real.json", folder / "link.json");
  ReplaceFile(folder / "link.json").write("new");
  CHECK(fs::is_symlink(folder / "link.json"));
  CHECK(text_of(folder / "real.json") == "new");
}

TEST_CASE("A link to a file that is not there yet stays a link", "[replace_file]") {
  const Folder folder;
  fs::create_symlink("real.json", folder / "link.json");
  ReplaceFile(folder / "link.json").write("new");
  CHECK(fs::is_symlink(folder / "link.json"));
  CHECK(text_of(folder / "real.json") == "new");
}

TEST_CASE("A file has one writer, by whatever way it is reached, and leaves nothing beside it",
          "[replace_file]") {
  const Folder folder;
  fs::create_directory(folder / "below");
  {
    const ReplaceFile first(folder / "r.json");
    CHECK_THROWS_WITH(ReplaceFile(folder / "below/../r.json"),
                      ContainsSubstring("r.json: another tuneproof is writing it"));
    CHECK_NOTHROW(ReplaceFile(folder / "other.json"));
    CHECK(folder.entries() == 1);
  }
  CHECK_NOTHROW(ReplaceFile(folder / "r.json"));
}

TEST_CASE("A file that somebody else has put there meanwhile is not replaced", "[replace_file]") {
  const Folder folder;
  const ReplaceFile file(folder / "r.json");
  file.write("ours");
  std::ofstream(folder / "elsewhere") << "theirs";
  fs::rename(folder / "elsewhere", folder / "r.json");
  CHECK_THROWS_WITH(file.write("ours again"),
                    ContainsSubstring("r.json: another program has written it meanwhile"));
  CHECK(text_of(folder / "r.json") == "theirs");
  fs::rename(folder / "r.json", folder / "kept");
  file.write("ours again");
  CHECK(text_of(folder / "r.json") == "ours again");
}

TEST_CASE("A signal that ends the program in the middle of a write leaves nothing beside the file",
          "[replace_file]") {
  const auto ending = GENERATE(SIGTERM, SIGPIPE);
  const Folder folder;
  const std::string text(std::size_t{64} << 20, 'x');
  const auto writer = fork();
  if (writer == 0) {
    std::signal(ending, SIG_DFL);
    for (const ReplaceFile file(folder / "r.json");;) file.write(text);
  }
  const auto wait_until = [](const auto& condition) {
    for (int ms = 0; ms < 60'000 && !condition(); ++ms) usleep(1000);
  };
  wait_until([&] { return fs::exists(folder / "r.json"); });
  wait_until([&] { return folder.entries() > 1; });  // the next text is being written
  kill(writer, ending);
  CHECK(wait_for_end(writer) == Exit{0, ending});
  CHECK(folder.entries() == 1);
}

TEST_CASE("What cannot be a results file is refused at once", "[replace_file]") {
  const Folder folder;
  CHECK_THROWS_WITH(ReplaceFile(folder / "none/r.json"),
                    ContainsSubstring("none/r.json: cannot be written: No such file or directory"));
  CHECK_THROWS_WITH(ReplaceFile(folder.path()), ContainsSubstring("is a folder, not a file"));
  CHECK_THROWS_WITH(ReplaceFile("/dev/null"), ContainsSubstring("/dev/null: is not a regular file"));
}

TEST_CASE("A full disk keeps the old file and is named", "[replace_file]") {
  const Folder folder;
  if (mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) SKIP("only root may mount a tmpfs");
  {
    const ReplaceFile file(folder / "r.json");
    file.write("old");
    CHECK_THROWS_WITH(file.write(std::string(1 << 20, 'x')), ContainsSubstring("No space left on device"));
    CHECK(text_of(folder / "r.json") == "old");
    CHECK(folder.entries() == 1);
  }
  umount(folder.path().c_str());
}

}  // namespace
}  // namespace harness::inline support
