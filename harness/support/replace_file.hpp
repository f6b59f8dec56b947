// A file that is either the old one or the new one,
// whenever the machine stops; and the folder where
// the program keeps what it need not measure again.
#pragma once

#include "harness/support/fd.hpp"

#include <cstdint>
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

/// Which file stands behind a name.
struct FileStamp {
  std::uint64_t device = 0, number = 0;
  std::int64_t changed_s = 0, changed_ns = 0, size = 0;
  bool operator==(const FileStamp&) const = default;
};

/// What becomes of an old file that cannot be replaced, as where the disk is full.
enum class OldFile { keep, empty };

/// Replaces one file again and again: each time a temporary name beside it, synced, renamed. Its only writer
/// while it lives.
class ReplaceFile {
 public:
  /// Finds out at once whether the file can be written, and leaves an existing one as it is. A link is
  /// followed. Throws BadInput, naming the file and the reason: it cannot be written, another process writes
  /// it.
  explicit ReplaceFile(const std::filesystem::path& file, OldFile old = OldFile::keep);

  /// Throws BadInput where the text could not be stored, or where somebody else, as on another machine, has
  /// put another file there since this one was opened; the file is then what it was before.
  void write(std::string_view text) const;

  /// True where somebody else has written the file since it was opened or written here. What stands there is
  /// then the old one, which the next write replaces.
  bool take_back() const;

  const std::filesystem::path& path() const { return file_; }

 private:
  std::filesystem::path file_;
  Fd only_writer_;
  mutable std::optional<FileStamp> last_seen_;  // none where no file was there
};

/// Throws BadInput where a file of that name could not be written; empty and "-" name none. For what only
/// says what it would do.
void require_writable(const std::string& file);

}  // namespace harness::inline support
