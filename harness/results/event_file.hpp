// An event file that grows: what a training writes while TensorBoard may already read it.
#pragma once

#include "harness/support/fd.hpp"

#include <filesystem>

namespace harness::results {

/// What TensorBoard looks for in a file's name.
inline constexpr std::string_view event_file_prefix = "events.out.tfevents.";

class EventFile {
 public:
  /// Makes `folder` where it is missing and a new file in it, with its first record. Throws BadInput, naming
  /// the place and the reason.
  explicit EventFile(const std::filesystem::path& folder);

  /// Appends whole records. Throws BadInput where they cannot be written; the file then ends with the last
  /// whole one.
  void write(std::string_view records);

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  Fd file_;
};

}  // namespace harness::results
