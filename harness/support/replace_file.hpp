// A file that is either the old one or the new one, whenever the machine stops, and one that two programs do
// not write at once; the folder where the program keeps what it need not measure again; and no output takes
// the place of an input, which would be lost.
#pragma once

#include "harness/support/fd.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

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

/// Throws BadInput where an output is one of the inputs. `option` is as it was given,
/// "report: -o page.html"; names that are empty, or of nothing that is there, are passed over.
void refuse_overwriting(std::string_view option, const std::filesystem::path& output,
                        const std::vector<std::string>& inputs);

/// The same for the files of a command line that has been parsed; nor may two outputs be one. What lies in
/// folders that it names is left to the command.
void refuse_overwriting(const CLI::App& app);

/// Makes the file where it is missing, and locks it until the descriptor is closed or this process ends,
/// however it ends; programs that it starts do not hold the lock. Where another process holds it, calls
/// `waits` once and waits for it. Throws BadInput where the file cannot be made or locked.
Fd lock_file(const std::filesystem::path& file, const std::function<void()>& waits);

/// The file that a link leads to, whether it is there or not; of another file its own name.
std::filesystem::path behind_links(std::filesystem::path file);

/// While it is open, no other process of this machine writes the file, which need not be there and is not
/// touched: what is held is a name in the kernel, so that nothing is left behind. Throws BadInput where
/// somebody else is writing the file and does not end within a moment.
Fd only_writer(const std::filesystem::path& file);

}  // namespace harness::inline support
