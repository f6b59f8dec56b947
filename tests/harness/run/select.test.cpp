#include "harness/run/select.hpp"

#include "tests/harness/teach/example.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>

using namespace harness;
using namespace harness::catalogue;
using namespace harness::run;
using Names = std::vector<std::string>;

namespace {

const Catalogue& made_up() {
  static const auto made = example::catalogue();
  return made;
}

Names names(const Selection& selection) {
  Names all;
  for (const auto& planned : select_rows(made_up(), selection)) all.push_back(planned.name);
  return all;
}

std::string complaint(const Selection& selection) {
  try {
    select_rows(made_up(), selection);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "no complaint";
}

DeviceChoice on(Device::Kind kind, int index = 0) { return {.automatic = false, .device = {kind, index}}; }

}  // namespace

TEST_CASE("without a pattern the quick suite of every step is taken, in table order", "[select]") {
  CHECK(names({}) == Names{"transfer/pinned_h2d/bytes:64KiB", "transfer/pinned_h2d/bytes:16MiB",
                           "dataload/workers/as:threads/workers:2", "dataload/workers/as:processes/workers:2",
                           "sync/item/device:cpu", "sync/item/device:cuda",
                           "stgym/device_indices/device:cpu"});
}

TEST_CASE("the full suite takes every point", "[select]") {
  CHECK(names({.suite = Suite::full}).size() == 3 + 6 + 2 + 1);
}

TEST_CASE("a glob crosses slashes and holds for step ids and row names", "[select]") {
  CHECK(names({.patterns = {"stgym/*"}}) == Names{"stgym/device_indices/device:cpu"});
  CHECK(names({.patterns = {"*pinned*"}}).size() == 2);
  CHECK(names({.patterns = {"sync/item"}}).size() == 2);
  CHECK(names({.patterns = {"*/as:thr?ads/*"}}) == Names{"dataload/workers/as:threads/workers:2"});
  CHECK(names({.patterns = {"*bytes:[61]*"}}).size() == 2);
}

TEST_CASE("a row that two patterns match is taken once", "[select]") {
  CHECK(names({.patterns = {"sync/*", "*item*"}}).size() == 2);
}

TEST_CASE("a row that is named in full is taken whatever the suite", "[select]") {
  CHECK(names({.patterns = {"transfer/pinned_h2d/bytes:1MiB"}}) == Names{"transfer/pinned_h2d/bytes:1MiB"});
}

TEST_CASE("a pattern that matches nothing names near misses", "[select]") {
  CHECK(complaint({.patterns = {"pined_h2d"}}) ==
        "no step or row matches 'pined_h2d'; did you mean 'transfer/pinned_h2d', "
        "'transfer/pinned_h2d/bytes:64KiB' or 'transfer/pinned_h2d/bytes:1MiB'?");
  CHECK(complaint({.patterns = {"transfer"}}).find("'transfer/*'") != std::string::npos);
  CHECK(complaint({.patterns = {"*qqqqqqqqq*"}}) ==
        "no step or row matches '*qqqqqqqqq*'; run 'tuneproof list' to see them all");
}

TEST_CASE("a near miss may differ in capitals, and a short word is near to nothing by accident", "[select]") {
  CHECK(complaint({.patterns = {"SYNC/ITEM"}}).find("'sync/item'") != std::string::npos);
  CHECK(complaint({.patterns = {"run"}}) ==
        "no step or row matches 'run'; run 'tuneproof list' to see them all");
}

TEST_CASE("one pattern that matches nothing is an error though another matches", "[select]") {
  CHECK(complaint({.patterns = {"sync/item", "zzzzzz"}}) ==
        "no step or row matches 'zzzzzz'; run 'tuneproof list' to see them all");
}

TEST_CASE("a pattern that matches only points of the full suite says so", "[select]") {
  CHECK(complaint({.patterns = {"*bytes:1M*"}}) ==
        "'*bytes:1M*' matches only points of the full suite; add --suite full");
}

TEST_CASE("a point takes the values of its axis from either suite", "[select]") {
  CHECK(names({.patterns = {"transfer/*"}, .points = {"bytes=1M..16MiB"}}) ==
        Names{"transfer/pinned_h2d/bytes:1MiB", "transfer/pinned_h2d/bytes:16MiB"});
  CHECK(names({.patterns = {"transfer/*"}, .points = {"bytes=..64K"}}) ==
        Names{"transfer/pinned_h2d/bytes:64KiB"});
  CHECK(names({.patterns = {"transfer/*"}, .points = {"bytes=1048576"}}) ==
        Names{"transfer/pinned_h2d/bytes:1MiB"});
}

TEST_CASE("points of one axis add up, points of two axes both hold", "[select]") {
  CHECK(names({.patterns = {"dataload/*"}, .points = {"workers=0", "workers=5", "as=threads"}}) ==
        Names{"dataload/workers/as:threads/workers:0", "dataload/workers/as:threads/workers:5"});
}

TEST_CASE("a label is taken by its text, not by its place in the list", "[select]") {
  CHECK(names({.patterns = {"dataload/*"}, .points = {"as=processes"}}) ==
        Names{"dataload/workers/as:processes/workers:2"});
  CHECK(complaint({.patterns = {"dataload/*"}, .points = {"as=1"}}) ==
        "--point as=1 leaves no row; the values of as are threads, processes");
}

TEST_CASE("a point filters only the steps that have its axis", "[select]") {
  CHECK(names({.points = {"bytes=64K"}}).size() == 1 + 2 + 2 + 1);
}

TEST_CASE("a point that nothing has, or that leaves nothing, says what there is", "[select]") {
  CHECK(complaint({.points = {"byte=64K"}}) ==
        "--point byte=64K: no selected step has an axis 'byte'; expected bytes, as or workers");
  CHECK(complaint({.points = {"bytes=3M..4M"}}) ==
        "--point bytes=3M..4M leaves no row; the values of bytes are 64KiB, 1MiB, 16MiB");
}

TEST_CASE("a point that cannot be read is refused", "[select]") {
  for (const auto* text : {"bytes", "=3", "bytes=", "bytes=..", "bytes=1X..2M", "bytes=2M..1M"})
    CHECK(complaint({.points = {text}}).starts_with("--point "));
}

TEST_CASE("without a device the rows on CUDA are skipped and the session runs on the CPU", "[select]") {
  for (const auto& planned : select_rows(made_up(), {})) {
    const bool cuda = planned.device.is_cuda();
    CHECK(planned.reason == (cuda ? "no CUDA device" : ""));
  }
}

TEST_CASE("with a device nothing is skipped and the session runs on it", "[select]") {
  const auto rows = select_rows(made_up(), {.has_cuda = true});
  for (const auto& planned : rows) CHECK(planned.reason.empty());
  CHECK(rows.back().name == "stgym/device_indices/device:cuda");
}

TEST_CASE("the choice --device cpu skips the rows on CUDA and says that it was asked for", "[select]") {
  const auto rows = select_rows(made_up(), {.device = on(Device::Kind::cpu), .has_cuda = true});
  CHECK(rows.front().reason == "the run uses --device cpu");
  CHECK(rows.back().name == "stgym/device_indices/device:cpu");
  CHECK(rows.back().reason.empty());
}

TEST_CASE("the choice --device cuda:1 drops the CPU half of steps that run on each, and keeps host steps",
          "[select]") {
  const auto rows = select_rows(made_up(), {.device = on(Device::Kind::cuda, 1), .has_cuda = true});
  Names all;
  for (const auto& planned : rows) {
    all.push_back(planned.name);
    if (planned.device.is_cuda()) CHECK(planned.device == Device{Device::Kind::cuda, 1});
  }
  CHECK(all == Names{"transfer/pinned_h2d/bytes:64KiB", "transfer/pinned_h2d/bytes:16MiB",
                     "dataload/workers/as:threads/workers:2", "dataload/workers/as:processes/workers:2",
                     "sync/item/device:cuda", "stgym/device_indices/device:cuda"});
}

TEST_CASE("a glob over rows of a device that the session does not use is an error that names --device",
          "[select]") {
  CHECK(complaint({.patterns = {"stgym/*/device:cuda"}}) ==
        "'stgym/*/device:cuda' matches only rows of a device that this session does not use; see --device");
}

TEST_CASE("a row that is named in full belongs to the session whatever its device", "[select]") {
  CHECK(names({.patterns = {"stgym/device_indices/device:cpu"}, .has_cuda = true}) ==
        Names{"stgym/device_indices/device:cpu"});
  CHECK(select_rows(made_up(), {.patterns = {"stgym/device_indices/device:cuda"}}).at(0).reason ==
        "no CUDA device");
}

TEST_CASE("an option of a workload of which no step is selected is refused", "[select]") {
  auto all = made_up();
  all.options = {{"scale", "FACTOR", "nodes", "stgym/"}};
  const auto rows_of = [&](const char* pattern) { return select_rows(all, {.patterns = {pattern}}); };
  CHECK_NOTHROW(require_use({{"scale", "1"}}, rows_of("*"), all));
  CHECK_NOTHROW(require_use({}, rows_of("transfer/*"), all));
  CHECK_THROWS_WITH(require_use({{"scale", "1"}}, rows_of("transfer/*"), all),
                    "--scale applies to the steps stgym/*, but none of them is selected");
}

TEST_CASE("an option may be of some rows only", "[select]") {
  auto all = made_up();
  all.options = {{"log", "FOLDER", "events", "stgym/*/unit:epoch transfer/pinned"}};
  const auto rows = select_rows(all, {.patterns = {"sync/*"}, .suite = Suite::full});
  CHECK_THROWS_WITH(
      require_use({{"log", "f"}}, rows, all),
      "--log applies to the steps stgym/*/unit:epoch* or transfer/pinned*, but none of them is selected");
  results::Row epoch;
  epoch.name = "stgym/a/against:below/unit:epoch/device:cpu";
  CHECK_NOTHROW(require_use({{"log", "f"}}, {epoch}, all));
}

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

TEST_CASE("a step of no suite is taken by its id, or by a pattern in the full suite", "[select]") {
  constexpr std::string_view apart[] = {"transfer/pinned_h2d/"};
  const auto catalogue = catalogue_of(example::all, {}, apart);
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

TEST_CASE("a point on one axis brings nothing that no suite has on the others", "[select]") {
  constexpr std::string_view apart[] = {"as:processes"};
  const auto catalogue = catalogue_of(example::all, {}, apart);
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
  constexpr std::string_view apart[] = {"bytes:1MiB"};
  const auto catalogue = catalogue_of(example::all, {}, apart);
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

TEST_CASE("without a ladder --leave-one-out is told", "[select]") {
  CHECK(complaint({.patterns = {"transfer/*"}, .leave_one_out = true}) ==
        "--leave-one-out applies to ladders, but none is selected; add 'stgym/*'");
}
