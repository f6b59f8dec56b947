// A folder for the files of a test.
#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <unistd.h>

namespace workloads {

/// A folder that goes with the test. File by file: LibTorch brings a remove_all() that does not work.
class Folder {
 public:
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() {
    for (const auto& name : names_) std::filesystem::remove(path / name);
    std::filesystem::remove(path);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  void write(const std::string& name, const std::string& bytes) {
    names_.insert(name);
    std::ofstream(path / name, std::ios::binary) << bytes;
  }
  void folder(const std::string& name) {
    names_.insert(name);
    std::filesystem::create_directory(path / name);
  }
  std::string at(const std::string& name) const { return (path / name).string(); }
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tuneproof_models_" + std::to_string(getpid()));

 private:
  std::set<std::string> names_;
};

}  // namespace workloads
