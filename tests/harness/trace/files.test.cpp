#include "harness/core/setup.hpp"
#include "harness/trace/trace.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
using harness::trace::trace_files;

/// A folder that is gone afterwards.
class Folder {
 public:
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path path = fs::temp_directory_path() / "tuneproof_files_test";
};

TEST_CASE("a folder stands for its traces by name, and for nothing else in it", "[trace]") {
  const Folder folder;
  for (const char* name : {"rank1.json", "rank0.json.gz", "notes.txt"})
    std::ofstream(folder.path / name) << "";
  const auto files = trace_files(folder.path);
  REQUIRE(files.size() == 2);
  CHECK(files[0].filename() == "rank0.json.gz");
  CHECK(files[1].filename() == "rank1.json");
}

TEST_CASE("where files are named as PyTorch names traces the others are none", "[trace]") {
  const Folder folder;
  for (const char* name : {"config.json", "host_1.17.pt.trace.json.gz", "host_2.pt.trace.json"})
    std::ofstream(folder.path / name) << "";
  const auto files = trace_files(folder.path);
  REQUIRE(files.size() == 2);
  CHECK(files[0].filename() == "host_1.17.pt.trace.json.gz");
  CHECK(files[1].filename() == "host_2.pt.trace.json");
}

TEST_CASE("a folder without traces and a path to nothing are refused", "[trace]") {
  const Folder folder;
  CHECK_THROWS_AS(trace_files(folder.path), harness::BadInput);
  CHECK_THROWS_AS(trace_files(folder.path / "none"), harness::BadInput);
}

}  // namespace
