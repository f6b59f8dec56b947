// A folder for the files of a test.
#pragma once

#include "harness/support/run_program.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace tests {

/// Goes with the test. Another program removes it: LibTorch exports a remove_all() of an older standard
/// library, which crashes here.
class Folder {
 public:
  Folder() {
    auto name = (std::filesystem::temp_directory_path() / "tuneproof-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { harness::run_program({"rm", {"-r", path_.string()}, {}}, ""); }
  const std::filesystem::path& path() const { return path_; }
  std::string at(const std::string& name) const { return (path_ / name).string(); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(at(name), std::ios::binary) << bytes;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace tests
