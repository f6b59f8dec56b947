#include "harness/support/scratch_folder.hpp"

#include "tests/folder.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;

TEST_CASE("a scratch folder goes with all that is in it, and what its links name stays", "[scratch_folder]") {
  const tests::Folder folder;
  fs::create_directory(folder.at("other"));
  folder.write("other/file", "stays");
  {
    const harness::ScratchFolder scratch(folder.path() / "parent");
    fs::create_directories(scratch.path() / "a/b");
    std::ofstream(scratch.path() / "a/b/file") << "goes";
    fs::create_directory_symlink(folder.at("other"), scratch.path() / "a/link");
  }
  CHECK_FALSE(fs::exists(folder.path() / "parent"));
  CHECK(fs::exists(folder.at("other/file")));
}

TEST_CASE("folders in which nothing was put go again, but not one that was there before",
          "[scratch_folder]") {
  const tests::Folder folder;
  fs::create_directory(folder.at("before"));
  {
    const harness::NewFolders empty(folder.at("before/a/b")), used(folder.at("before/c/d"));
    CHECK(fs::is_directory(folder.at("before/a/b")));
    folder.write("before/c/file", "stays");
  }
  CHECK_FALSE(fs::exists(folder.at("before/a")));
  CHECK_FALSE(fs::exists(folder.at("before/c/d")));
  CHECK(fs::exists(folder.at("before/c/file")));
  CHECK_THROWS_AS(harness::NewFolders(folder.at("before/c/file/e/f")), harness::BadInput);
}

TEST_CASE("removing a folder that is not there does nothing", "[scratch_folder]") {
  const tests::Folder folder;
  harness::remove_folder(folder.path() / "none");
  CHECK(fs::is_empty(folder.path()));
}

}  // namespace
