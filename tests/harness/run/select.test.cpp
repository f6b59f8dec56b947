// Which rows patterns and points take.
#include "tests/harness/run/selected.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

using namespace harness;
using namespace harness::catalogue;
using namespace harness::run;
using namespace tests;

namespace {

/// One row, at that point.
catalogue::Step step_with(const std::string& id, const std::vector<Coordinate>& at) {
  catalogue::Row row;
  row.name = id;
  row.at = at;
  catalogue::Step step;
  step.id = id;
  step.rows.push_back(row);
  return step;
}

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

TEST_CASE("a folder is a pattern", "[select]") {
  CHECK(names({.patterns = {"transfer"}}) == names({.patterns = {"transfer/*"}}));
}

TEST_CASE("a pattern that matches nothing names near misses", "[select]") {
  CHECK(complaint({.patterns = {"pined_h2d"}}) ==
        "no step or row matches 'pined_h2d'; did you mean 'transfer/pinned_h2d', "
        "'transfer/pinned_h2d/bytes:64KiB' or 'transfer/pinned_h2d/bytes:1MiB'?");
  CHECK(complaint({.patterns = {"transfers"}}).find("'transfer/*'") != std::string::npos);
  CHECK(complaint({.patterns = {"*qqqqqqqqq*"}}) ==
        "no step or row matches '*qqqqqqqqq*'; run 'tuneproof list' to see them all");
}

TEST_CASE("a pattern that matches no pair of the self-test names the pairs, which no list shows",
          "[select]") {
  Catalogue pairs;
  for (const auto* id : {"selftest/copy", "selftest/gather"}) pairs.steps.push_back(step_with(id, {}));
  CHECK_THROWS_WITH(
      select_rows(pairs, {.patterns = {"nosuch"}}),
      "no step or row matches 'nosuch'; 'tuneproof list' shows the steps; the self-test's pairs are "
      "selftest/copy, selftest/gather");
}

TEST_CASE("a near miss may differ in capitals, and a short word is near to nothing by accident", "[select]") {
  CHECK(complaint({.patterns = {"SYNC/ITEM"}}).find("'sync/item'") != std::string::npos);
  CHECK(complaint({.patterns = {"run"}}) ==
        "no step or row matches 'run'; run 'tuneproof list' to see them all");
}

TEST_CASE("the name of a suite in place of a pattern leads to the option", "[select]") {
  CHECK(complaint({.patterns = {"quick"}}) == "'quick' is a suite and no step; write --suite quick");
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

TEST_CASE("a point takes a list of values and ranges", "[select]") {
  CHECK(names({.patterns = {"dataload/*"}, .points = {"workers=0,5", "as=threads"}}) ==
        Names{"dataload/workers/as:threads/workers:0", "dataload/workers/as:threads/workers:5"});
  CHECK(names({.patterns = {"transfer/*"}, .points = {"bytes=..64K,16M"}}).size() ==
        names({.patterns = {"transfer/*"}, .points = {"bytes=..64K", "bytes=16M"}}).size());
  CHECK(complaint({.patterns = {"dataload/*"}, .points = {"as=threads,fibers"}}) ==
        "--point as=fibers leaves no row; the values of as are threads, processes");
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

TEST_CASE("the values of an axis are named by size, whatever the order of the steps", "[select]") {
  Catalogue two;
  two.steps.push_back(step_with("copy/large", {{"bytes", 4 << 20, "4MiB"}}));
  two.steps.push_back(step_with("copy/small", {{"bytes", 64 << 10, "64KiB"}}));
  CHECK_THROWS_WITH(select_rows(two, {.points = {"bytes=7"}}),
                    "--point bytes=7 leaves no row; the values of bytes are 64KiB, 4MiB");
}

TEST_CASE("a value that steps have at several places of their lists is named once", "[select]") {
  Catalogue two;
  two.steps.push_back(step_with("a/first", {{"unit", 0, "step"}, {"unit", 1, "epoch"}}));
  two.steps.push_back(step_with("a/other", {{"unit", 0, "epoch"}}));
  CHECK_THROWS_WITH(select_rows(two, {.points = {"unit=eval"}}),
                    "--point unit=eval leaves no row; the values of unit are epoch, step");
}

TEST_CASE("a point that cannot be read is refused", "[select]") {
  for (const auto* text : {"bytes", "=3", "bytes=", "bytes=..", "bytes=1X..2M", "bytes=2M..1M", "bytes=,",
                           "bytes=1M,", "bytes=,1M"})
    CHECK(complaint({.points = {text}}).starts_with("--point "));
}
