#include "harness/support/scratch_folder.hpp"

#include "harness/core/setup.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <ftw.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>

namespace harness::inline support {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& folder, const std::string& what, int error) {
  throw BadInput(folder.string() + ": " + what + ": " + std::generic_category().message(error));
}

int remove_entry(const char* path, const struct stat* /*kind*/, int /*type*/, FTW* /*place*/) {
  std::remove(path);
  return 0;  // goes on
}

constexpr std::string_view scratch_name = ".tuneproof-held-";

Fd opened(const std::filesystem::path& folder) {
  return Fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool locks(const Fd& folder) { return flock(folder.get(), LOCK_EX | LOCK_NB) == 0; }

/// Only a folder of our own that nobody holds, and none so young that its owner is about to lock it.
void remove_if_left(const std::filesystem::path& folder) {
  constexpr std::time_t young = 60;  // seconds
  const auto left = opened(folder);
  struct stat found{};
  if (fstat(left.get(), &found) != 0 || found.st_uid != geteuid()) return;
  if (std::time(nullptr) - found.st_mtim.tv_sec > young && locks(left)) remove_folder(folder);
}

/// What owners that were killed have left there.
void remove_left_in(const std::filesystem::path& parent) {
  std::error_code ignored;
  for (std::filesystem::directory_iterator entry(parent, ignored), end; entry != end;
       entry.increment(ignored))
    if (entry->path().filename().string().starts_with(scratch_name)) remove_if_left(entry->path());
}

void remove_empty(const std::vector<std::filesystem::path>& folders) {
  for (const auto& folder : folders) rmdir(folder.c_str());
}

}  // namespace

/// Not by std::filesystem: LibTorch exports a remove_all() of an older standard library, which crashes here.
void remove_folder(const std::filesystem::path& folder) {
  constexpr int open_at_once = 16;
  nftw(folder.c_str(), remove_entry, open_at_once, FTW_DEPTH | FTW_PHYS);
}

std::filesystem::path temporary_folder() {
  std::error_code error;
  auto folder = std::filesystem::temp_directory_path(error);
  if (error) throw BadInput("the temporary folder cannot be used; set TMPDIR to one: " + error.message());
  return folder;
}

NewFolders::NewFolders(const std::filesystem::path& folder) {
  std::error_code error;
  const auto whole = std::filesystem::absolute(folder, error);
  for (auto at = whole; !at.empty() && at != at.root_path() && !std::filesystem::exists(at, error);
       at = at.parent_path())
    made_.push_back(at);
  std::filesystem::create_directories(whole, error);
  if (!error) return;
  remove_empty(made_);
  refuse(folder, "cannot create the folder", error.value());
}

NewFolders::~NewFolders() { remove_empty(made_); }

ScratchFolder::ScratchFolder(const std::filesystem::path& parent) : parent_(parent) {
  remove_left_in(parent);
  auto name = (parent / (std::string(scratch_name) + "XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr) refuse(parent, "cannot write to it", errno);
  path_ = std::filesystem::absolute(name);
  lock_ = opened(path_);
  static_cast<void>(locks(lock_));  // where that cannot be, nobody else can lock it either
}

ScratchFolder::~ScratchFolder() { remove_folder(path_); }

}  // namespace harness::inline support
