#include "harness/programs/recorder.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/field.hpp"
#include "harness/support/read_text.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <fstream>

namespace {

using namespace harness;
using namespace harness::programs;
namespace fs = std::filesystem;

TEST_CASE("the recorder lies first on the path, and the program's own entries follow", "[recorder]") {
  const ScratchFolder place(fs::temp_directory_path());
  const Recorder recorder({}, place.path() / "traces");
  CHECK(python_path(recorder.folder(), "") == recorder.folder().string());
  CHECK(python_path(recorder.folder(), "/a:/b") == recorder.folder().string() + ":/a:/b");
  CHECK(fs::exists(recorder.folder() / "sitecustomize.py"));
}

TEST_CASE("the recorder gets what to record", "[recorder]") {
  const ScratchFolder place(fs::temp_directory_path());
  const Recorder recorder({.steps = 7, .skip = 3, .stacks = true}, place.path() / "traces");
  const auto file = recorder.folder() / "options.json";
  const auto options = parse_json(read_text(file.string(), 1 << 20), file.string());
  CHECK(options["steps"] == 7);
  CHECK(options["skip"] == 3);
  CHECK(options["every"].is_null());
  CHECK(options["stacks"] == true);
  CHECK(fs::path(options["out"].get<std::string>()).is_absolute());
}

TEST_CASE("nothing of the recorder stays, and no empty folder that it made", "[recorder]") {
  const ScratchFolder place(fs::temp_directory_path());
  fs::path folder;
  {
    const Recorder recorder({}, place.path() / "traces");
    folder = recorder.folder();
  }
  CHECK_FALSE(fs::exists(folder));
  CHECK(fs::is_empty(place.path()));
}

TEST_CASE("traces and an empty folder of the user's stay", "[recorder]") {
  const ScratchFolder place(fs::temp_directory_path());
  const auto theirs = place.path() / "theirs";
  const auto made = place.path() / "made";
  fs::create_directory(theirs);
  {
    const Recorder into_theirs({}, theirs);
    const Recorder into_new({}, made);
    std::ofstream(made / "a.pt.trace.json.gz") << "x";
  }
  CHECK(fs::is_empty(theirs));
  CHECK(fs::exists(made / "a.pt.trace.json.gz"));
}

}  // namespace
