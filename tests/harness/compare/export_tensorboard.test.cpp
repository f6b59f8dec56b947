#include "tests/harness/compare/example.hpp"
#include "tests/harness/results/records.hpp"

#include "harness/compare/export_formats.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

using namespace harness;
using namespace harness::compare;

namespace {

results::Results session_at(const std::string& id, const std::string& started) {
  auto json = example::results({{.id = "stgym/a/unit:step/device:cpu"}, {.id = "sync/b/device:cpu"}});
  json["tuneproof"]["session"]["id"] = id;
  json["tuneproof"]["session"]["started"] = started;
  json["tuneproof"]["pairs"][0]["at"] = {{{"axis", "unit"}, {"value", 0}, {"text", "step"}}};
  return example::run(json);
}

const std::string first_day = "2026-01-01T00:00:00+00:00", second_day = "2026-01-02T00:00:00+00:00";

}  // namespace

TEST_CASE("a class of machine is one run, whose steps are its sessions in the order of time",
          "[tensorboard]") {
  const auto files = event_files_of({session_at("b", second_day), session_at("a", first_day)});
  REQUIRE(files.size() == 1);
  const auto events = results::events_of(files.begin()->second);
  // The version; then for each session a text, and four numbers of each row.
  REQUIRE(events.size() == 1 + 2 * (1 + 2 * 4));
  CHECK(events[1].substr(9, 1) == "\x2A");       // step 0 is left out: the summary
  CHECK(events[10].substr(9, 2) == "\x10\x01");  // step 1
}

TEST_CASE("a session that is given twice counts once", "[tensorboard]") {
  const auto once = event_files_of({session_at("a", first_day)});
  CHECK(event_files_of({session_at("a", first_day), session_at("a", first_day)}) == once);
}

TEST_CASE("a verdict is a number, and none where the row cannot tell", "[tensorboard]") {
  CHECK(verdict_number(Verdict::helps) == 1);
  CHECK(verdict_number(Verdict::no_effect) == 0);
  CHECK(verdict_number(Verdict::hurts) == -1);
  CHECK(std::isnan(verdict_number(Verdict::inconclusive)));
}
