// What a loop writes to: a file, and its bytes afterwards; a terminal, as far as a program that writes to it
// can tell.
#pragma once

#include "harness/core/measurement.hpp"
#include "harness/support/fd.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>

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

/// A pipe that a thread empties, and the last line that was written to it.
class Screen {
 public:
  Screen() : reader_([this] { read(); }) {}
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  ~Screen() {
    pipe_.write_end.close();
    reader_.join();
  }
  void write(const std::string& line) {
    if (::write(pipe_.write_end.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
      throw std::system_error(errno, std::generic_category(), "writing to a pipe");
    last_ = line;
  }
  std::string& last() { return last_; }

 private:
  void read() const {
    std::array<char, 4096> buffer{};
    while (::read(pipe_.read_end.get(), buffer.data(), buffer.size()) > 0) {
    }
  }
  harness::Pipe pipe_;
  std::string last_;
  std::jthread reader_;
};

}  // namespace microbench
