// What the tests of files share: a file that goes away, and the sentence of a refusal.
#pragma once

#include "harness/core/setup.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>

/// A file with this text, removed at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view text) {
    static std::atomic<int> count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("tuneproof-" + std::to_string(::getpid()) + "-" + std::to_string(count++) + ".csv");
    std::ofstream(path_, std::ios::binary) << text;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// The sentence with which `action` refuses its input, without `path` at its front.
template <class Action>
std::string refusal(const std::string& path, Action&& action) {
  try {
    action();
  } catch (const harness::BadInput& refused) {
    const std::string sentence = refused.what();
    if (!sentence.starts_with(path)) throw std::logic_error("the file is not named: " + sentence);
    return sentence.substr(path.size());
  }
  throw std::logic_error("nothing was refused");
}
