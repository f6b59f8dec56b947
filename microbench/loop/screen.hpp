// A terminal, as far as a program that writes to it can tell.
#pragma once

#include "harness/support/fd.hpp"

#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <thread>

namespace microbench {

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
