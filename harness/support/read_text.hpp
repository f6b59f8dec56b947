// Reads a file whole, within bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace harness::inline support {

/// Enough for 5,000 rows of 14 rounds.
constexpr std::uint64_t most_results_bytes = std::uint64_t{128} << 20;

/// Throws BadInput where neither a file nor a folder can be read: "x: cannot be read: No such file or
/// directory".
void require_readable(const std::filesystem::path& place);

/// The same, and for all but a folder: "x: is a file, not a folder".
void require_folder(const std::filesystem::path& folder);

/// As require_readable, and for a folder.
void require_file(const std::filesystem::path& file);

/// As require_file, and for a pipe and a device, which can be read only once.
void require_regular_file(const std::filesystem::path& file);

/// The text of a file, which gzip may have packed. Throws BadInput, naming the file, where it cannot be read,
/// is damaged, or is larger than `most_bytes`, packed or not; no more than twice that is ever held.
std::string read_text(const std::filesystem::path& file, std::uint64_t most_bytes);

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
