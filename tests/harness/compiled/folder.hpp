// A folder for a test's files.
#pragma once

#include "harness/support/run_program.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <filesystem>

namespace harness::compiled {

/// Removed by another program: LibTorch exports a remove_all of an older standard library, which crashes
/// here.
class Folder {
 public:
  Folder() {
    auto name = (std::filesystem::temp_directory_path() / "compiled.XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { run_program({"rm", {"-r", path_.string()}, {}}, ""); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace harness::compiled
