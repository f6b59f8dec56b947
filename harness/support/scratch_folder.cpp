#include "harness/support/scratch_folder.hpp"

#include "harness/core/setup.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ftw.h>
#include <system_error>
#include <unistd.h>

namespace harness::inline support {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& folder, const std::string& what, int error) {
  throw BadInput(folder.string() + ": " + what + ": " + std::generic_category().message(error));
}

int remove_entry(const char* path, const struct stat* /*kind*/, int /*type*/, FTW* /*place*/) {
  std::remove(path);
  return 0;  // goes on
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
  auto name = (parent / ".tuneproof-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) refuse(parent, "cannot write to it", errno);
  path_ = std::filesystem::absolute(name);
}

ScratchFolder::~ScratchFolder() { remove_folder(path_); }

}  // namespace harness::inline support
