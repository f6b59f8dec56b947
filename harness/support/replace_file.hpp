// A file that is either the old one or the new one,
// whenever the machine stops; and the folder where
// the program keeps what it need not measure again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace harness::inline support {

/// ${XDG_CACHE_HOME:-~/.cache}/tuneproof/<kind>/<key>.json; nothing where neither variable names a folder. A
/// key that would make no file's name is put into one by its hash.
std::optional<std::filesystem::path> cache_file(std::string_view kind, std::string_view key);

/// Makes the folders above the file. Throws BadInput where they cannot be made.
void make_folders_of(const std::filesystem::path& file);

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
