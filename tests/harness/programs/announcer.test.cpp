#include "harness/programs/announcer.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness::programs;

TEST_CASE("the announcer reports a minute without a step once", "[announcer]") {
  Announcer announcer;
  Notes notes;
  CHECK(announcer.news(notes, 1000).empty());
  notes.torch = 100;
  CHECK(announcer.news(notes, 100 + patience_seconds).empty());
  CHECK(announcer.news(notes, 101 + patience_seconds).size() == 1);
  CHECK(announcer.news(notes, 900).empty());
}

TEST_CASE("a program that steps is not told that it does not", "[announcer]") {
  Announcer announcer;
  const Notes notes{.torch = 100, .stepped = true};
  CHECK(announcer.news(notes, 900).empty());
}

TEST_CASE("the announcer reports each trace once, as soon as it is there", "[announcer]") {
  Announcer announcer;
  Notes notes{.stepped = true, .traces = {{.file = "traces/a.json.gz", .first = 10, .steps = 5}}};
  const auto said = announcer.news(notes, 0);
  REQUIRE(said.size() == 1);
  CHECK(said.front().starts_with("steps 10 to 14: traces/a.json.gz"));
  CHECK(announcer.news(notes, 1).empty());
  notes.traces.push_back({.file = "traces/b.json.gz", .first = 20, .steps = 1});
  CHECK(announcer.news(notes, 2).front().starts_with("step 20: traces/b.json.gz"));
}

TEST_CASE("packing is announced once, where it takes longer than two seconds", "[announcer]") {
  Announcer announcer;
  Notes notes{.stepped = true, .packing = {{.first = 4, .steps = 5, .time = 100}}};
  CHECK(announcer.news(notes, 101).empty());
  const auto said = announcer.news(notes, 103);
  REQUIRE(said.size() == 1);
  CHECK(said.front() == "the program waits while the profiler packs steps 4 to 8");
  CHECK(announcer.news(notes, 104).empty());
  notes.packing.push_back({.first = 20, .steps = 5, .time = 110, .done = true});
  CHECK(announcer.news(notes, 120).empty());
}

}  // namespace
