#include "harness/programs/conclusion.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/scratch_folder.hpp"

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace {

using namespace harness;
using namespace harness::programs;
using Files = std::vector<std::filesystem::path>;

TEST_CASE("of one process the last trace is diagnosed", "[conclusion]") {
  const Notes notes{.traces = {{.file = "a", .process = 1}, {.file = "b", .process = 1}}};
  CHECK(traces_to_diagnose(notes) == Files{"b"});
}

TEST_CASE("of several ranks the last trace of each is diagnosed", "[conclusion]") {
  const Notes notes{.traces = {{.file = "b0", .rank = 1, .ranks = 2},
                               {.file = "a0", .rank = 0, .ranks = 2},
                               {.file = "b1", .rank = 1, .ranks = 2},
                               {.file = "a1", .rank = 0, .ranks = 2}}};
  CHECK(traces_to_diagnose(notes) == Files{"a1", "b1"});
}

TEST_CASE("a trace of the program's own is diagnosed only where ours recorded nothing", "[conclusion]") {
  const ScratchFolder folder(std::filesystem::temp_directory_path());
  const auto theirs = folder.path() / "own.json";
  std::ofstream(theirs) << "{}";
  Notes notes{.theirs = true, .their_traces = {theirs, folder.path() / "gone.json"}};
  CHECK(traces_to_diagnose(notes) == Files{theirs});
  notes.traces.push_back({.file = "ours"});
  CHECK(traces_to_diagnose(notes) == Files{"ours"});
}

TEST_CASE("the nearest reason is given for a missing trace", "[conclusion]") {
  Notes notes;
  CHECK(why_no_trace(notes).find("no Python imported torch") != std::string::npos);
  notes.torch = 1;
  CHECK(why_no_trace(notes).find("no step was seen") != std::string::npos);
  notes.passed_over = true;
  CHECK(why_no_trace(notes).find("the program has made an optimizer") != std::string::npos);
  notes.stepped = true;
  CHECK(why_no_trace(notes).find("os._exit ended the program") != std::string::npos);
  notes.most_steps = 4;
  CHECK(why_no_trace(notes).find("after 4 steps") != std::string::npos);
  CHECK(why_no_trace(notes).ends_with("run it again with --skip 2 --steps 1, which records the third step"));
  notes.most_steps = 2;
  CHECK(why_no_trace(notes).find("three steps are enough") != std::string::npos);
  notes.theirs = true;
  CHECK(why_no_trace(notes).find("a profiler of its own") != std::string::npos);
  notes.problems = {"torch is too old"};
  CHECK(why_no_trace(notes).find("torch is too old") != std::string::npos);
}

TEST_CASE("a promise is set beside what is left of it, a step", "[conclusion]") {
  const auto found = [](std::string id, double saves_us) {
    trace::Finding finding;
    finding.id = std::move(id);
    finding.saves_us = saves_us;
    return finding;
  };
  trace::Diagnosis before, after;
  before.judged_steps = 2;
  before.findings = {found("data_loader_wait", 8000), found("item_reads", 3000), found("warm_up", 0)};
  after.judged_steps = 4;
  after.findings = {found("data_loader_wait", 400)};
  CHECK(promises_text(before, after, {}) ==
        "PROMISED\n"
        "  data_loader_wait had promised at most 4.00 ms a step: it is still found, with 100 us\n"
        "  item_reads had promised at most 1.50 ms a step: it is gone\n");
  CHECK(promises_text(after, {}, {}).find("100 us a step: it is gone") != std::string::npos);
  CHECK(promises_text({}, before, {}).empty());
  CHECK(promises_text(after, {}, {.columns = 60}) ==
        "PROMISED\n  data_loader_wait had promised at most 100 us a step: it is\n  gone\n");
}

TEST_CASE("no tip is measured whose packages would take the time that is given", "[conclusion]") {
  const auto step_of = [](const std::string& id, double package_seconds) {
    catalogue::Step step;
    step.id = id;
    step.rows.push_back({.name = id + " n:1", .at = {}, .package_seconds = package_seconds});
    return step;
  };
  catalogue::Catalogue catalogue;
  catalogue.steps = {step_of("a/small", 40), step_of("b/large", 80), step_of("c/plain", 0),
                     step_of("d/second", 40)};
  const std::vector<std::string> steps{"a/small", "b/large", "c/plain", "d/second"};
  const auto rows = [&](double seconds) {
    return rows_within(catalogue, steps, {}, std::chrono::duration<double>(seconds));
  };
  using Names = std::vector<std::string>;
  CHECK(rows(30) == Names{"c/plain n:1"});
  CHECK(rows(90) == Names{"a/small n:1", "c/plain n:1"});
  CHECK(rows(400) == Names{"a/small n:1", "b/large n:1", "c/plain n:1", "d/second n:1"});
}

TEST_CASE("of a folder the latest trace is the earlier one", "[conclusion]") {
  const ScratchFolder folder(std::filesystem::temp_directory_path());
  const auto now = std::filesystem::file_time_type::clock::now();
  for (const auto* name : {"b.pt.trace.json.gz", "a.pt.trace.json.gz", "c.pt.trace.json.gz"})
    std::ofstream(folder.path() / name) << "x";
  std::filesystem::last_write_time(folder.path() / "a.pt.trace.json.gz", now + std::chrono::hours(1));
  CHECK(earlier_trace(folder.path().string()) == folder.path() / "a.pt.trace.json.gz");
  CHECK_THROWS_AS(earlier_trace((folder.path() / "none").string()), BadInput);
}

}  // namespace
