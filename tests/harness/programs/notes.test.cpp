#include "harness/programs/notes.hpp"

#include "harness/support/scratch_folder.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <fstream>
#include <string_view>

namespace {

using namespace harness;
using namespace harness::programs;

/// A folder of notes, one file a process.
struct Folder {
  ScratchFolder scratch{std::filesystem::temp_directory_path()};
  void write(std::string_view process, std::string_view text) const {
    std::ofstream(scratch.path() / process, std::ios::app) << text;
  }
  Notes read() const { return read_notes(scratch.path()); }
};

constexpr auto trace =
    R"({"what": "trace", "time": 5.5, "pid": 7, "file": "/t/a.json.gz", "first": 10, "steps": 5, "rank": 1, "ranks": 2})"
    "\n";

TEST_CASE("notes of all processes are one account", "[notes]") {
  const Folder folder;
  folder.write("7", R"({"what": "torch", "time": 3.0, "pid": 7, "version": "2.1"})"
                    "\n");
  folder.write("8", R"({"what": "torch", "time": 2.0, "pid": 8, "version": "2.1"})"
                    "\n"
                    R"({"what": "step", "time": 4.0, "pid": 8})"
                    "\n"
                    R"({"what": "passed_over", "time": 4.5, "pid": 8})"
                    "\n"
                    R"({"what": "end", "time": 9.0, "pid": 8, "steps": 40})"
                    "\n");
  const auto notes = folder.read();
  CHECK(notes.torch == 2.0);
  CHECK(notes.stepped);
  CHECK(notes.passed_over);
  CHECK(notes.most_steps == 40);
}

TEST_CASE("traces come by their time, whichever process wrote them", "[notes]") {
  const Folder folder;
  folder.write("7", trace);
  folder.write(
      "9",
      R"({"what": "trace", "time": 1, "pid": 9, "file": "/t/b.json.gz", "first": 1, "steps": 1, "rank": 0, "ranks": 2})"
      "\n");
  const auto notes = folder.read();
  REQUIRE(notes.traces.size() == 2);
  CHECK(notes.traces.front().file == "/t/b.json.gz");
  CHECK(notes.traces.back().first == 10);
  CHECK(notes.traces.back().ranks == 2);
}

TEST_CASE("a line that its process could not finish is left out, and the others are read", "[notes]") {
  const Folder folder;
  folder.write("7", trace);
  folder.write("7", R"({"what": "trace", "time": 6, "pi)");
  folder.write("8", "{\"what\": \"trace\"}\n[1]\n\n");
  CHECK(folder.read().traces.size() == 1);
}

TEST_CASE("what followed a recording is what its process said of it last", "[notes]") {
  const Folder folder;
  folder.write("7", R"({"what": "pace", "time": 6, "pid": 7, "first": 10, "steps": 16, "seconds": 1})"
                    "\n"
                    R"({"what": "pace", "time": 7, "pid": 7, "first": 10, "steps": 20, "seconds": 2})"
                    "\n"
                    R"({"what": "pace", "time": 8, "pid": 7, "first": 90, "steps": 4, "seconds": 3})"
                    "\n");
  const auto notes = folder.read();
  REQUIRE(notes.paces.size() == 2);
  CHECK(notes.paces.at({7, 10}).steps == 20);
  CHECK(notes.paces.at({7, 90}).seconds == 3);
}

TEST_CASE("a problem that many processes have is one problem", "[notes]") {
  const Folder folder;
  for (const auto* process : {"1", "2"})
    folder.write(process, R"({"what": "problem", "time": 1, "pid": 1, "sentence": "torch is too old"})"
                          "\n");
  CHECK(folder.read().problems.size() == 1);
}

TEST_CASE("a folder that is gone has no notes", "[notes]") { CHECK(read_notes("/nowhere").traces.empty()); }

TEST_CASE("packing is done where the same process says so", "[notes]") {
  const Folder folder;
  folder.write("7", R"({"what": "packing", "time": 5.0, "pid": 7, "first": 4, "steps": 5})"
                    "\n"
                    R"({"what": "packed", "time": 6.0, "pid": 7, "first": 4})"
                    "\n");
  folder.write("8", R"({"what": "packing", "time": 4.0, "pid": 8, "first": 4, "steps": 5})"
                    "\n");
  const auto packing = folder.read().packing;
  REQUIRE(packing.size() == 2);
  CHECK((packing[0].process == 8 && !packing[0].done));
  CHECK((packing[1].process == 7 && packing[1].done));
}

}  // namespace
