#pragma once

#include <filesystem>

namespace harness::inline support {

/// With all that is in it, as far as it can be removed.
void remove_folder(const std::filesystem::path& folder);

/// That of TMPDIR, else /tmp. Throws BadInput where there is none.
std::filesystem::path temporary_folder();

/// A hidden folder inside `parent`, which is made where it is missing; removed with all that is in it.
class ScratchFolder {
 public:
  /// Throws BadInput where it cannot be made.
  explicit ScratchFolder(const std::filesystem::path& parent);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace harness::inline support
