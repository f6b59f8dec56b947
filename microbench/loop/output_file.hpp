// A file that a loop writes to, and its bytes afterwards.
#pragma once

#include "harness/core/fault.hpp"
#include "harness/support/fd.hpp"

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

namespace microbench {

/// Without a name, in the folder for temporary files, on disk where that is.
class OutputFile {
 public:
  void write(std::string_view text) const {
    if (!harness::write_all(file_.get(), text)) fail("writing a temporary file");
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
  harness::Fd file_ = harness::unnamed_file_on_disk();
};

/// Those of a file with a name; empty where there is no such file.
inline std::vector<std::byte> file_bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

}  // namespace microbench
