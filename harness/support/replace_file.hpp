// A file that is either the old one or the new one, whenever the machine stops.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace harness::inline support {

/// Replaces one file again and again: each time a temporary name beside it, synced, renamed.
class ReplaceFile {
 public:
  /// Finds out at once whether the file can be written, and leaves an existing one as it is. A link is
  /// followed. Throws BadInput, naming the file and the reason.
  explicit ReplaceFile(const std::filesystem::path& file);

  /// Throws BadInput where the text could not be stored; the file is then what it was before.
  void write(std::string_view text) const;

  const std::filesystem::path& path() const { return file_; }

 private:
  std::filesystem::path file_;
};

}  // namespace harness::inline support
