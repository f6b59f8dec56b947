// Folders that go again: with all that is in them, or where nothing has come into them.
#pragma once

#include "harness/support/fd.hpp"

#include <filesystem>
#include <vector>

namespace harness::inline support {

/// With all that is in it, as far as it can be removed.
void remove_folder(const std::filesystem::path& folder);

/// That of TMPDIR, else /tmp. Throws BadInput where there is none.
std::filesystem::path temporary_folder();

/// Makes a folder and those above it. Those that it has made and that are still empty go again with it: what
/// could not be written leaves no folder behind.
class NewFolders {
 public:
  /// Throws BadInput where it cannot be made.
  explicit NewFolders(const std::filesystem::path& folder);
  ~NewFolders();
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;

 private:
  std::vector<std::filesystem::path> made_;  // the innermost first
};

/// A hidden folder inside `parent`, which NewFolders makes where it is missing; removed with all that is in
/// it. Where SIGKILL ended its owner, the next process of the same user that makes one in `parent` removes
/// it.
class ScratchFolder {
 public:
  /// Throws BadInput where it cannot be made.
  explicit ScratchFolder(const std::filesystem::path& parent);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  NewFolders parent_;
  std::filesystem::path path_;
  Fd lock_;  // the kernel takes it away from an owner that has ended, however it ended
};

}  // namespace harness::inline support
