#include "harness/support/replace_file.hpp"

#include "harness/core/setup.hpp"
#include "harness/core/slot_order.hpp"
#include "harness/support/fd.hpp"
#include "harness/support/lock_file.hpp"
#include "harness/support/signals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace harness::inline support {
namespace {

constexpr std::uint64_t no_seed = 0;
constexpr std::size_t longest_name = 100;

/// "sha256:1f..." -> "sha256-1f...". Where the program has no SHA-256 a key is a whole document.
std::string file_name(std::string_view key) {
  std::string name(key);
  std::ranges::replace(name, ':', '-');
  const auto plain = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-'; };
  if (name.empty() || name.size() > longest_name || !std::ranges::all_of(name, plain))
    name = fmt::format("class-{:016x}", row_seed(no_seed, key));
  return name + ".json";
}

/// An empty variable counts as none, and one that is not an absolute path is to be ignored: XDG's rules.
std::optional<std::filesystem::path> folder_in(const char* variable) {
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): one thread
  if (text == nullptr || !std::filesystem::path(text).is_absolute()) return std::nullopt;
  return text;
}

[[noreturn]] void cannot_write(const std::filesystem::path& file, int error) {
  throw BadInput(file.string() + ": cannot be written: " + std::generic_category().message(error));
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

/// A new file beside `file`, unlinked again unless it is kept.
class Temporary {
 public:
  explicit Temporary(const std::filesystem::path& file)
      : name_(folder_of(file) / fmt::format(".{}.XXXXXX", file.filename().string())) {
    fd_ = Fd(mkostemp(name_.data(), O_CLOEXEC));
    if (fd_.get() < 0) cannot_write(file, errno);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!name_.empty()) unlink(name_.c_str());
  }

  bool put(std::string_view text) const { return write_all(fd_.get(), text) && fsync(fd_.get()) == 0; }
  /// mkstemp makes files that only their owner may read; the result gets what any new file would get.
  void set_mode(const std::filesystem::path& like) const {
    struct stat old{};
    if (stat(like.c_str(), &old) == 0) {
      fchmod(fd_.get(), old.st_mode & 07777);
      return;
    }
    const auto mask = umask(0);
    umask(mask);
    fchmod(fd_.get(), 0666 & ~mask);
  }
  bool become(const std::filesystem::path& file) {
    if (std::rename(name_.c_str(), file.c_str()) != 0) return false;
    name_.clear();
    return true;
  }

 private:
  HeldSignals held_;  // until the file is gone, or kept
  std::string name_;
  Fd fd_;
};

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) {
  struct stat found{};
  if (stat(file.c_str(), &found) != 0) return std::nullopt;
  return FileStamp{found.st_dev, found.st_ino, found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_size};
}

}  // namespace

std::optional<std::filesystem::path> cache_file(std::string_view kind, std::string_view key) {
  auto folder = folder_in("XDG_CACHE_HOME");
  if (const auto home = folder_in("HOME"); !folder && home) folder = *home / ".cache";
  if (!folder) return std::nullopt;
  return *folder / "tuneproof" / kind / file_name(key);
}

void make_folders_of(const std::filesystem::path& file) {
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  if (failed) throw BadInput(file.string() + ": cannot be written: " + failed.message());
}

ReplaceFile::ReplaceFile(const std::filesystem::path& file, OldFile old) {
  if (file == "-") throw BadInput("-: what is written here needs a file; give its name");
  std::error_code ignored;  // a file that is not there yet is not an error
  const auto status = std::filesystem::status(file, ignored);
  if (std::filesystem::is_directory(status)) throw BadInput(file.string() + ": is a folder, not a file");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw BadInput(file.string() + ": is not a regular file; name one, or '-' where the option takes it");
  file_ = behind_links(file);
  if (std::filesystem::exists(status) && access(file_.c_str(), W_OK) != 0) cannot_write(file, errno);
  only_writer_ = only_writer(file_);
  last_seen_ = stamp_of(file_);
  try {
    const Temporary trial(file_);
    if (!trial.put("{}")) cannot_write(file, errno);
  } catch (const BadInput&) {
    if (old == OldFile::empty && last_seen_) std::filesystem::resize_file(file_, 0, ignored);
    throw;
  }
}

void ReplaceFile::write(std::string_view text) const {
  const auto there = stamp_of(file_);
  if (there && there != last_seen_)
    throw BadInput(file_.string() +
                   ": another program has written it meanwhile; move it away, and this one goes on");
  Temporary next(file_);
  if (!next.put(text)) cannot_write(file_, errno);
  next.set_mode(file_);
  if (!next.become(file_)) cannot_write(file_, errno);
  last_seen_ = stamp_of(file_);
  // The rename itself lasts only once the folder is synced; some file systems cannot, and that is not an
  // error.
  const Fd folder(open(folder_of(file_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) fsync(folder.get());
}

bool ReplaceFile::take_back() const {
  const auto there = stamp_of(file_);
  if (!there || there == last_seen_) return false;
  last_seen_ = there;
  return true;
}

void require_writable(const std::string& file) {
  if (!file.empty() && file != "-") const ReplaceFile writable(file);
}

}  // namespace harness::inline support
