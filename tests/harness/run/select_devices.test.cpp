// Which rows belong to a session's device, and which options to its rows.
#include "tests/harness/run/selected.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace harness;
using namespace harness::catalogue;
using namespace harness::run;
using namespace tests;

namespace {

DeviceChoice on(Device::Kind kind, int index = 0) { return {.automatic = false, .device = {kind, index}}; }

}  // namespace

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

TEST_CASE("where an option is refused, those are named that the selected rows read", "[select]") {
  auto all = made_up();
  all.options = {{"scale", "FACTOR", "nodes", "stgym/"}, {"text", "FILE", "text", "transfer/pinned"}};
  const auto rows = select_rows(all, {.patterns = {"transfer/*"}, .suite = Suite::full});
  CHECK_THROWS_WITH(
      require_use({{"scale", "1"}}, rows, all),
      "--scale applies to the steps stgym/*, but none of them is selected; the selected rows read --text");
}
