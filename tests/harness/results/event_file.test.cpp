#include "tests/harness/results/records.hpp"

#include "harness/core/setup.hpp"
#include "harness/results/event_records.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/scratch_folder.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

namespace {

using namespace harness::results;
using harness::ScratchFolder;

std::string text_of(const std::filesystem::path& file) { return harness::read_text(file, 1 << 20); }

TEST_CASE("an event file is made with its folders and begins with its version", "[tensorboard]") {
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  EventFile file(scratch.path() / "a/b");
  file.write(scalar_record({1, 2}, "loss", 3));
  CHECK(file.path().filename().string().starts_with(event_file_prefix));
  CHECK(events_of(text_of(file.path())).size() == 2);
}

TEST_CASE("a second log of one process in the same folder is a second file", "[tensorboard]") {
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  const EventFile first(scratch.path()), second(scratch.path());
  CHECK(first.path() != second.path());
}

TEST_CASE("where the folder is a file, a sentence names it", "[tensorboard]") {
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  std::ofstream(scratch.path() / "taken") << "x";
  CHECK_THROWS_AS(EventFile(scratch.path() / "taken"), harness::BadInput);
}

/// A limit on what a file may grow to, which stands for a full disk.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

TEST_CASE("a file whose first record cannot be written is not there, nor its folder", "[tensorboard]") {
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  const FileLimit limit(0);
  CHECK_THROWS_AS(EventFile(scratch.path() / "new"), harness::BadInput);
  CHECK(std::filesystem::is_empty(scratch.path()));
}

TEST_CASE("a record that no longer fits on the disk leaves no half of it", "[tensorboard]") {
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  EventFile file(scratch.path());
  const auto before = text_of(file.path());
  const FileLimit limit(before.size() + 10);
  CHECK_THROWS_AS(file.write(scalar_record({1, 2}, "loss", 3)), harness::BadInput);
  CHECK(text_of(file.path()) == before);
}

}  // namespace
