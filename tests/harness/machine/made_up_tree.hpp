// A folder with the files of /proc and /sys that a test puts there; gone when the test ends.
#pragma once

#include "harness/machine/host.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace harness::example {

class MadeUpTree {
 public:
  MadeUpTree() {
    auto name = (std::filesystem::temp_directory_path() / "tuneproof-tree-XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  MadeUpTree(const MadeUpTree&) = delete;
  MadeUpTree& operator=(const MadeUpTree&) = delete;
  ~MadeUpTree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  void put(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  SystemFiles files() const { return SystemFiles(root_); }
  std::string root() const { return root_.string(); }

 private:
  std::filesystem::path root_;
};

}  // namespace harness::example
