// Which rows a suite leaves out, and how they are taken all the same.
#include "tests/harness/run/selected.hpp"

#include "harness/run/list.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

using namespace harness;
using namespace harness::catalogue;
using namespace harness::run;
using namespace tests;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a row without a point that is of the full suite only is not in the quick one", "[select]") {
  auto catalogue = made_up();
  for (auto& step : catalogue.steps)
    if (step.id == "sync/item")
      for (auto& row : step.rows) row.quick = false;
  const auto taken = [&](const Selection& selection) {
    return std::ranges::any_of(select_rows(catalogue, selection),
                               [](const results::Row& planned) { return planned.step == "sync/item"; });
  };
  CHECK_FALSE(taken({}));
  CHECK(taken({.suite = Suite::full}));
}

TEST_CASE("the suite of claims has one row of each step that the quick one leaves out, at a quick point",
          "[select]") {
  auto workers = example::workers;
  auto item = example::item;
  workers.suite = item.suite = Suite::full;
  const core::Step* const steps[] = {&example::pinned, &workers, &item};
  Names taken;
  for (const auto& row : select_rows(catalogue_of(steps, {}), {.suite = Suite::claims, .has_cuda = true}))
    taken.push_back(row.name);
  CHECK(taken ==
        Names{"dataload/workers/as:threads/workers:2", "sync/item/device:cpu", "sync/item/device:cuda"});
}

TEST_CASE("a step of no suite is taken by its id, or by a pattern in the full suite", "[select]") {
  auto pinned = example::pinned;
  pinned.suite = Suite::named;
  const core::Step* const steps[] = {&pinned, &example::workers, &example::item, &example::rung};
  const auto catalogue = catalogue_of(steps, {});
  const auto taken = [&](Selection selection) {
    selection.has_cuda = true;
    return std::ranges::any_of(select_rows(catalogue, selection), [](const results::Row& planned) {
      return planned.step == "transfer/pinned_h2d";
    });
  };
  CHECK_FALSE(taken({}));
  CHECK_FALSE(taken({.suite = Suite::full}));
  CHECK(taken({.patterns = {"transfer/pinned_h2d"}}));
  CHECK(taken({.patterns = {"transfer/*"}, .suite = Suite::full}));
}

TEST_CASE("the list says of a step of no suite that it runs by its name", "[list]") {
  auto pinned = example::pinned;
  pinned.suite = Suite::named;
  const core::Step* const steps[] = {&pinned, &example::item};
  const auto catalogue = catalogue_of(steps, {});
  CHECK_THAT(list_text({&catalogue.steps[0]}, {}), ContainsSubstring("transfer/pinned_h2d    by name"));
  CHECK_THAT(list_text({&catalogue.steps[1]}, {}), !ContainsSubstring("  by name"));
}

TEST_CASE("a point on one axis brings nothing that no suite has on the others", "[select]") {
  auto workers = example::workers;
  const core::Axis axes[] = {{.name = "as", .about = "what they are", .full = {0}, .labels = example::labels},
                             workers.axes[1]};
  workers.axes = axes;
  const core::Step* const steps[] = {&workers};
  const auto catalogue = catalogue_of(steps, {});
  const auto processes = [&](std::vector<std::string> points) {
    Selection selection{.patterns = {"dataload/workers"}, .points = std::move(points)};
    selection.suite = Suite::full;
    return std::ranges::any_of(select_rows(catalogue, selection), [](const results::Row& planned) {
      return planned.name.find("as:processes") != std::string::npos;
    });
  };
  CHECK_FALSE(processes({"workers=2"}));
  CHECK(processes({"as=processes"}));
}

TEST_CASE("a row of no suite is taken by its name or by a point, not with its step", "[select]") {
  auto pinned = example::pinned;
  auto bytes = pinned.axes[0];
  bytes.full = {64 << 10, 16 << 20};
  pinned.axes = {&bytes, 1};
  const core::Step* const steps[] = {&pinned, &example::item};
  const auto catalogue = catalogue_of(steps, {});
  const auto taken = [&](Selection selection) {
    selection.has_cuda = true;
    selection.suite = Suite::full;
    return std::ranges::any_of(select_rows(catalogue, selection), [](const results::Row& planned) {
      return planned.name == "transfer/pinned_h2d/bytes:1MiB";
    });
  };
  CHECK_FALSE(taken({}));
  CHECK_FALSE(taken({.patterns = {"transfer/*"}}));
  CHECK(taken({.patterns = {"transfer/pinned_h2d/bytes:1MiB"}}));
  CHECK(taken({.patterns = {"transfer/*"}, .points = {"bytes=1M"}}));
}

namespace {

/// The example and a ladder's step that is in no suite.
Names names_with_ends(const Selection& selection) {
  auto catalogue = made_up();
  catalogue::Step ends;
  ends.id = "stgym/leave_one_out";
  ends.runs = Runs::session;
  ends.rows = {{.name = "stgym/leave_one_out/switch:a/from:best/device:cpu",
                .at = {{"switch", 0, "a"}, {"from", 0, "best"}},
                .quick = false,
                .full = false}};
  catalogue.steps.push_back(ends);
  Names all;
  for (const auto& planned : select_rows(catalogue, selection)) all.push_back(planned.name);
  return all;
}

}  // namespace

TEST_CASE("the ends of a ladder are taken with --leave-one-out or by their name only", "[select]") {
  const std::string row = "stgym/leave_one_out/switch:a/from:best/device:cpu";
  const auto has = [&](const Selection& selection) {
    const auto all = names_with_ends(selection);
    return std::ranges::find(all, row) != all.end();
  };
  CHECK_FALSE(has({.patterns = {"stgym/*"}, .suite = Suite::full}));
  CHECK(has({.patterns = {"stgym/*"}, .suite = Suite::full, .leave_one_out = true}));
  CHECK(has({.patterns = {"stgym/*"}, .leave_one_out = true}));
  CHECK(has({.patterns = {"stgym/leave_one_out"}}));
}

TEST_CASE("without a ladder --leave-one-out is refused", "[select]") {
  auto catalogue = made_up();
  for (const auto* id : {"gpt/leave_one_out", "gpt/accuracy", "stgym/leave_one_out"}) {
    auto step = catalogue.steps.front();
    step.id = id;
    for (auto& row : step.rows) row.name = step.id + "/" + row.name;
    catalogue.steps.push_back(std::move(step));
  }
  const auto asking_for = [&](const char* pattern) {
    select_rows(catalogue, {.patterns = {pattern}, .suite = Suite::full, .leave_one_out = true});
  };
  const std::string refusal = "--leave-one-out applies to whole ladders, but none is selected; add ";
  CHECK_THROWS_WITH(asking_for("gpt/accuracy"), refusal + "'gpt/*'");
  CHECK_THROWS_WITH(asking_for("transfer/*"), refusal + "'gpt/*' or 'stgym/*'");
}
