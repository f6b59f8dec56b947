#include "harness/support/scratch_folder.hpp"

#include "harness/core/setup.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ftw.h>
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

ScratchFolder::ScratchFolder(const std::filesystem::path& parent) {
  std::error_code error;
  std::filesystem::create_directories(parent, error);
  if (error) refuse(parent, "cannot create the folder", error.value());
  auto name = (parent / ".tuneproof-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) refuse(parent, "cannot write to it", errno);
  path_ = std::filesystem::absolute(name);
}

ScratchFolder::~ScratchFolder() { remove_folder(path_); }

}  // namespace harness::inline support
