#include "harness/core/setup.hpp"
#include "harness/run/run_profile.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/scratch_folder.hpp"
#include "harness/trace/trace.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

namespace {

using namespace harness;
using namespace harness::run;
using namespace harness::trace;
namespace fs = std::filesystem;

constexpr auto json =
    R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 1, "dur": 2}],
 "traceName": "/somewhere/naive.0.json"})";

/// A folder for the traces, and a scratch folder in it with one raw trace.
struct Place {
  ScratchFolder root{fs::temp_directory_path()};
  fs::path out = root.path() / "out";
  ScratchFolder scratch{out};
  fs::path raw = scratch.path() / "naive.0.json";
  Place() { write(); }
  void write() const { std::ofstream(raw) << json; }
};

TEST_CASE("a kept trace has the name that TensorBoard and HTA look for", "[trace_file]") {
  const Place place;
  const auto file = keep_trace(place.raw, place.out, file_name_of("sync/item_every_step/n:256") + "-naive");
  CHECK(std::regex_match(file.filename().string(),
                         std::regex(R"(sync-item_every_step-n_256-naive\.\d{13}\.pt\.trace\.json\.gz)")));
  CHECK(read_trace(file).events.size() == 1);
}

TEST_CASE("a kept trace names itself and not the file that it was made from", "[trace_file]") {
  const Place place;
  const auto file = keep_trace(place.raw, place.out, "name");
  const auto text = read_text(file, 1 << 20);
  REQUIRE(text.find("traceEvents") != text.npos);
  CHECK(text.find("/somewhere") == text.npos);
  CHECK(text.find("\"traceName\": \"" + file.stem().string() + "\"") != text.npos);
}

TEST_CASE("traces that are kept in the same millisecond do not replace each other", "[trace_file]") {
  const Place place;
  std::set<fs::path> files;
  for (int i = 0; i < 20; ++i) {
    place.write();
    files.insert(keep_trace(place.raw, place.out, "name"));
  }
  CHECK(files.size() == 20);
}

TEST_CASE("nothing but the trace is left behind", "[trace_file]") {
  const ScratchFolder root(fs::temp_directory_path());
  const auto out = root.path() / "out";
  fs::path file;
  {
    const ScratchFolder scratch(out);
    std::ofstream(scratch.path() / "naive.0.json") << json;
    file = keep_trace(scratch.path() / "naive.0.json", out, "name");
    std::ofstream(scratch.path() / "half.json") << "{";
  }
  std::set<fs::path> there;
  for (const auto& entry : fs::directory_iterator(out)) there.insert(entry.path());
  CHECK(there == std::set{file});
}

TEST_CASE("the message names a folder that cannot be made", "[trace_file]") {
  CHECK_THROWS_AS(ScratchFolder("/dev/null/traces"), BadInput);
}

}  // namespace
