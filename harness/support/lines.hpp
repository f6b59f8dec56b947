#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace harness::inline support {

/// Splits what arrives on a descriptor into lines.
class LineReader {
 public:
  /// A line longer than `limit` bytes is given out in pieces: garbage must not fill the memory.
  explicit LineReader(std::size_t limit = std::size_t{64} << 20) : limit_(limit) {}

  /// Takes what is there without waiting, at most 1 MiB; false at the end of the stream. The descriptor is
  /// nonblocking.
  bool read(int fd);
  /// The next complete line without its end.
  std::optional<std::string> next();
  /// What came after the last complete line; worth asking for at the end of the stream.
  std::string rest();

 private:
  std::size_t limit_;
  std::string buffer_;
  std::size_t searched_ = 0;
};

}  // namespace harness::inline support
