#include "harness/support/scratch_folder.hpp"

#include "tests/folder.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

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

TEST_CASE("the next owner removes what a killed one has left, and nothing that is held, young or a link",
          "[scratch_folder]") {
  const tests::Folder folder;
  const auto make_old = [&](const char* name) {
    fs::last_write_time(folder.at(name), fs::file_time_type::clock::now() - std::chrono::hours(1));
  };
  for (const auto* name : {".tuneproof-held-killed", ".tuneproof-held-young", "other"}) {
    fs::create_directory(folder.at(name));
    folder.write(std::string(name) + "/file", "text");
  }
  fs::create_directory_symlink("other", folder.at(".tuneproof-held-link"));
  make_old(".tuneproof-held-killed");
  make_old("other");
  // Another name of the folder: each is looked at once in a process.
  const auto held = std::make_unique<harness::ScratchFolder>(folder.at("other/.."));
  CHECK_FALSE(fs::exists(folder.at(".tuneproof-held-killed")));
  CHECK(fs::exists(folder.at(".tuneproof-held-young/file")));
  CHECK(fs::exists(folder.at("other/file")));
  make_old(held->path().filename().c_str());
  make_old(".tuneproof-held-young");
  const harness::ScratchFolder next(folder.path());
  CHECK(fs::exists(held->path()));
  CHECK_FALSE(fs::exists(folder.at(".tuneproof-held-young")));
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
