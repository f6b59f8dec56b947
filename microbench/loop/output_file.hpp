// A file that a loop writes to, and its bytes afterwards.
#pragma once

#include "harness/core/fault.hpp"
#include "harness/support/fd.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace microbench {

/// Without a name, in the folder for temporary files, on disk where that is.
class OutputFile {
 public:
  OutputFile() {
    auto name = (std::filesystem::temp_directory_path() / "tuneproof-XXXXXX").string();
    file_ = harness::Fd(mkostemp(name.data(), O_CLOEXEC));
    if (file_.get() < 0) fail("making a temporary file");
    unlink(name.c_str());
  }

  void write(std::string_view text) const {
    while (!text.empty()) {
      const auto n = ::write(file_.get(), text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail("writing a temporary file");
      text.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  /// Until the disk has it.
  void sync() const {
    if (fsync(file_.get()) != 0) fail("syncing a temporary file");
  }
  void empty() const {
    if (ftruncate(file_.get(), 0) != 0 || lseek(file_.get(), 0, SEEK_SET) != 0)
      fail("emptying a temporary file");
  }
  std::vector<std::byte> bytes() const {
    std::vector<std::byte> all(static_cast<std::size_t>(lseek(file_.get(), 0, SEEK_CUR)));
    if (pread(file_.get(), all.data(), all.size(), 0) != static_cast<ssize_t>(all.size()))
      fail("reading a temporary file");
    return all;
  }

 private:
  [[noreturn]] static void fail(const char* doing) {
    throw std::system_error(errno, std::generic_category(), doing);
  }
  harness::Fd file_;
};

}  // namespace microbench
