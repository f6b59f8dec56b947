#include "harness/results/event_file.hpp"

#include "harness/core/setup.hpp"
#include "harness/results/event_records.hpp"
#include "harness/support/scratch_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <system_error>

namespace harness::results {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

[[noreturn]] void refuse(const std::filesystem::path& file, int error) {
  throw BadInput(fmt::format("{}: the log cannot be written: {}", file.string(),
                             std::generic_category().message(error)));
}

/// A name that no other process, and no earlier file of this one, has in the folder.
Fd new_file(const std::filesystem::path& folder, double now, std::filesystem::path& path) {
  constexpr int most_files = 1000;
  for (int number = 0; number < most_files; ++number) {
    path = folder / fmt::format("{}{:.0f}.tuneproof.{}.{}", event_file_prefix, now, getpid(), number);
    Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644));
    if (file.get() >= 0) return file;
    if (errno != EEXIST) break;
  }
  refuse(path, errno);
}

}  // namespace

EventFile::EventFile(const std::filesystem::path& folder) {
  const NewFolders folders(folder);
  const auto now = seconds_now();
  file_ = new_file(folder, now, path_);
  try {
    write(version_record(now));
  } catch (const BadInput&) {
    unlink(path_.c_str());
    throw;
  }
}

void EventFile::write(std::string_view records) {
  const auto end = lseek(file_.get(), 0, SEEK_END);
  if (write_all(file_.get(), records)) return;
  const int error = errno;
  if (ftruncate(file_.get(), end) != 0) refuse(path_, errno);
  refuse(path_, error);
}

}  // namespace harness::results
