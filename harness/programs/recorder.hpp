// The recorder: Python that the watched program runs without knowing, and its settings.
#pragma once

#include "harness/programs/notes.hpp"
#include "harness/support/scratch_folder.hpp"

#include <span>

namespace harness::programs {

/// A file of harness/programs/recorder, embedded when the program was built.
struct RecorderFile {
  std::string_view name;
  std::string_view text;
};
std::span<const RecorderFile> recorder_files();

/// Puts the recorder into `folder`, with its settings (JSON) and the folders that it writes to.
void lay_out_recorder(const std::filesystem::path& folder, const std::string& settings);

/// What PYTHONPATH must be so that Python finds the recorder in `folder`, and behind it what `ours` names;
/// null: nothing.
std::string python_path(const std::filesystem::path& folder, const char* ours);

/// The time in seconds since 1970, as Python's time.time() has it.
double unix_seconds();

/// Which steps are recorded, and what of them.
struct Recording {
  std::int64_t steps = 5;
  std::optional<std::int64_t> skip = {};  // without: until step times have settled
  std::optional<double> after = {};       // seconds from the program's start
  std::optional<double> every = {};       // seconds from one window to the next
  bool shapes = false;
  bool memory = false;
  bool stacks = false;
};

/// A private folder with the recorder in it, and one in the traces' folder for those that are being written;
/// both go with their owner.
class Recorder {
 public:
  /// Throws BadInput where one of the two cannot be written.
  Recorder(const Recording& recording, const std::filesystem::path& traces);

  const std::filesystem::path& folder() const { return folder_.path(); }
  Notes notes() const { return read_notes(folder_.path() / "notes"); }

 private:
  ScratchFolder folder_, parts_;
};

}  // namespace harness::programs
