#include "harness/simulate/simulate.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

namespace {

using namespace harness;
using namespace harness::simulate;
using Catch::Matchers::ContainsSubstring;

const Entry copy{.does = Entry::Does::copy, .bytes = 1e6, .way = "h2d"};
const Entry pageable{.does = Entry::Does::copy, .bytes = 1e6, .way = "h2d", .pageable = true};

RowRecord row(const std::string& name, std::vector<Entry> naive, std::vector<Entry> optimized) {
  return {.row = name + "/device:cuda",
          .forms = {{"naive", std::move(naive), {}}, {"optimized", std::move(optimized), {}}}};
}

std::string table_of(const std::vector<RowRecord>& rows) {
  return simulated_table(simulate_rows({.rows = rows}, {find_gpu("a30")}), {});
}

TEST_CASE("rows whose names end alike are told apart", "[simulate]") {
  const std::vector rows{row("transfer/pinned_h2d/bytes:16MiB/timer:wall", {pageable}, {copy}),
                         row("transfer/pinned_d2h/bytes:16MiB/timer:wall", {pageable}, {copy}),
                         row("transfer/pinned_d2h/bytes:16MiB/timer:event", {pageable}, {copy})};
  const std::vector gpus{find_gpu("t4"), find_gpu("a30"), find_gpu("h200")};
  for (const auto& text : {table_of(rows), table_by_gpu(simulate_rows({.rows = rows}, gpus), gpus, {})}) {
    CHECK_THAT(text, ContainsSubstring("\ntransfer\n  pinned_h2d/bytes:16MiB/timer:wall"));
    CHECK_THAT(text, ContainsSubstring("\n  pinned_d2h/bytes:16MiB/timer:wall"));
    CHECK_THAT(text, ContainsSubstring("\n    bytes:16MiB/timer:event"));
  }
}

TEST_CASE("a form of which nothing is counted has no time, so the row cannot be simulated", "[simulate]") {
  for (const auto& one : {row("a/b", {}, {copy}), row("a/b", {copy}, {}), row("a/b", {}, {})}) {
    const auto simulated = simulate_rows({.rows = {one}}, {find_gpu("a30")});
    CHECK_THAT(simulated.at(0).reason, ContainsSubstring("side's work is counted"));
    CHECK_THAT(simulation_to_json(simulated, {}, "").dump(), !ContainsSubstring("nan"));
    CHECK_THAT(simulated_table(simulated, {}), !ContainsSubstring("nan"));
  }
}

TEST_CASE("a row that was not recorded stands in the table with its reason", "[simulate]") {
  CHECK_THAT(table_of({{.row = "a/b", .reason = "not recorded: needs 2.00 GiB"}}),
             ContainsSubstring("a/b: cannot simulate: not recorded: needs 2.00 GiB"));
}

TEST_CASE("a reason that is of one GPU names it, one of all stands once", "[simulate]") {
  const Entry product{.flop = 1e9, .unit = "tf32"};
  const std::vector gpus{find_gpu("t4"), find_gpu("a30")};
  CHECK_THAT(simulated_table(simulate_rows({.rows = {row("a/b", {product}, {copy})}}, gpus), {}),
             ContainsSubstring("a/b/device:cuda on T4: cannot simulate"));
  const auto text = simulated_table(simulate_rows({.rows = {row("a/b", {}, {})}}, gpus), {});
  CHECK(text.find("cannot simulate") == text.rfind("cannot simulate"));
}

TEST_CASE("what a reader must know of a row stands below its name", "[simulate]") {
  auto small = row("a/b", {pageable}, {copy});
  small.note = "recorded small";
  CHECK_THAT(table_of({small}), ContainsSubstring("\n  b\n    recorded small\n"));
}

TEST_CASE("forms that make the same calls are called that, not only alike", "[simulate]") {
  CHECK_THAT(table_of({row("a/b", {copy}, {copy})}), ContainsSubstring("both sides make the same calls"));
  CHECK_THAT(table_of({row("a/b", {pageable}, {copy})}), !ContainsSubstring("the same calls"));
  auto other_streams = row("a/b", {copy}, {copy});
  other_streams.forms[1].non_blocking = {1};
  CHECK_THAT(table_of({other_streams}), !ContainsSubstring("the same calls"));
}

TEST_CASE("forms that differ only in calls without a price are not simulated, and the calls are named",
          "[simulate]") {
  auto allocating = row("a/b", {copy}, {copy});
  allocating.forms[0].unpriced = {{"cudaMalloc", 16}, {"cudaFree", 16}};
  const auto text = table_of({allocating});
  CHECK_THAT(text, ContainsSubstring("a/b/device:cuda: cannot simulate"));
  CHECK_THAT(text, ContainsSubstring("cudaFree 16 and 0"));
  CHECK_THAT(text, !ContainsSubstring("0.0 %"));
  allocating.forms[1].unpriced = allocating.forms[0].unpriced;
  CHECK_THAT(table_of({allocating}), ContainsSubstring("both sides make the same calls"));
}

TEST_CASE("forms that differ in more keep their change, and a remark names the calls without a price",
          "[simulate]") {
  auto allocating = row("a/b", {pageable}, {copy});
  allocating.forms[1].unpriced = {{"cudaHostAlloc", 1}};
  CHECK_THAT(table_of({allocating}),
             ContainsSubstring("calls without a price in the model: cudaHostAlloc 0 "));
}

TEST_CASE("the table by GPU says of each row what the other table says", "[simulate]") {
  const Entry product{.flop = 1e9, .unit = "tf32"};
  auto scaled = row("a/scaled", {pageable}, {copy});
  scaled.note = "recorded small";
  const std::vector rows{scaled, row("a/alike", {copy}, {copy}), row("a/tf32", {product}, {copy}),
                         RowRecord{.row = "a/lost/device:cuda", .reason = "not recorded: too large"}};
  const std::vector gpus{find_gpu("t4"), find_gpu("a30")};
  const auto text = table_by_gpu(simulate_rows({.rows = rows}, gpus), gpus, {.columns = 200});
  CHECK_THAT(text, ContainsSubstring("recorded small"));
  CHECK_THAT(text, ContainsSubstring("both sides make the same calls"));
  CHECK_THAT(text, ContainsSubstring("on T4: cannot simulate: T4: the value 'tf32' is not known"));
  CHECK_THAT(text, ContainsSubstring("cannot simulate: not recorded: too large"));
}

}  // namespace
