#include "prices/balance.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

using namespace prices;
using Catch::Matchers::ContainsSubstring;

namespace {

using Lines = std::vector<std::string>;

/// What the balance of these rows says about it.
Lines said(const std::vector<Price>& rows, const std::string& about) {
  const auto all = balance_of(rows);
  const auto found = std::ranges::find(all, about, &Balance::about);
  REQUIRE(found != all.end());
  return found->said;
}

/// t = start + n / rate at four sizes.
void add_line(std::vector<Price>& rows, const std::string& prefix, double start, double rate) {
  for (const auto& [text, bytes] : {std::pair{"1KiB", 1024.0}, std::pair{"1MiB", 1048576.0},
                                    std::pair{"16MiB", 16777216.0}, std::pair{"256MiB", 268435456.0}})
    rows.push_back({.name = prefix + text, .seconds = start + bytes / rate});
}

struct Row {
  const char* size;
  double microseconds;
};

/// As results/cpu-amd-epyc-2-cores/prices-2026-11-21-83f47ee.json has them.
std::vector<Price> measured(const std::string& prefix, std::initializer_list<Row> given) {
  std::vector<Price> rows;
  for (const auto& row : given)
    rows.push_back({.name = prefix + row.size, .seconds = row.microseconds * 1e-6});
  return rows;
}

}  // namespace

TEST_CASE("FLOP per byte is the best product over memory's rate", "[balance]") {
  const std::vector<Price> rows{
      {.name = "prices/product/host/fp32/n:128", .seconds = 1, .flop_per_second = 40e9},
      {.name = "prices/product/host/fp32/n:2048", .seconds = 1, .flop_per_second = 100e9},
      {.name = "prices/product/host/bf16/n:512", .seconds = 1, .flop_per_second = 50e9},
      {.name = "prices/triad/host/threads:2/bytes:256MiB", .seconds = 1, .bytes_per_second = 20e9},
  };
  CHECK(said(rows, "host: FLOP per byte") ==
        Lines{"fp32 5 (100 GFLOP/s over 20 GB/s)", "bf16 2.5 (50 GFLOP/s over 20 GB/s)"});
  CHECK(said(rows, "device: FLOP per byte").empty());
}

TEST_CASE("a way to move bytes has a start, a rate and sizes that batching pays for", "[balance]") {
  std::vector<Price> rows;
  add_line(rows, "prices/copy/h2d/host:pinned/bytes:", 10e-6, 25e9);
  // 1 MiB takes 41.9 us, and 10 to start: far more than half of 25 GB/s. 1 KiB has 0.1 GB/s.
  CHECK(said(rows, "copies h2d, pinned") ==
        Lines{"t = 10.0 us + n / (25 GB/s), at most 0 % off",
              "batching more than halves the time of pieces up to 1.00 KiB"});
}

TEST_CASE("a memcpy through the caches lies on no line, and says the rates of its ends", "[balance]") {
  const auto rows = measured("prices/memcpy/bytes:", {{"1KiB", 0.005064632624768357},
                                                      {"4KiB", 0.029905180535507364},
                                                      {"16KiB", 0.1020012485644782},
                                                      {"64KiB", 0.5338780111135321},
                                                      {"256KiB", 2.0588034053296687},
                                                      {"1MiB", 18.070424016429104},
                                                      {"4MiB", 68.6895985628627},
                                                      {"16MiB", 524.4001010032522},
                                                      {"64MiB", 3317.7553896806985},
                                                      {"256MiB", 14420.881224451681},
                                                      {"1GiB", 58432.7153641921}});
  // 1024 B / 5.0646 ns = 202.2 GB/s; 2^30 B / 58.4327 ms = 18.38 GB/s; the best of the larger sizes has 161.
  CHECK(said(rows, "memcpy") == Lines{"202 GB/s at 1.00 KiB, 18.4 GB/s at 1.00 GiB; no t = a + n/b fits in "
                                      "between, for a cache holds small blocks",
                                      "batching does not help at any size"});
}

TEST_CASE("batching pays by the rows themselves where no line holds", "[balance]") {
  const auto rows = measured("prices/handover/shared/bytes:", {{"1KiB", 45.60389964346481},
                                                               {"4KiB", 40.9513240304509},
                                                               {"16KiB", 43.08797814865626},
                                                               {"64KiB", 47.5723461393383},
                                                               {"256KiB", 50.66487410003901},
                                                               {"1MiB", 102.70377472891285},
                                                               {"4MiB", 214.16570616067304},
                                                               {"16MiB", 1242.9627629629706},
                                                               {"64MiB", 7006.181659581922}});
  // 4 MiB in 214.17 us are 19.58 GB/s; 256 KiB in 50.66 us are 5.17, less than half of it; 1 MiB has 10.21.
  CHECK(said(rows, "handing over in shared memory") ==
        Lines{"22.5 MB/s at 1.00 KiB, 9.58 GB/s at 64.0 MiB; no t = a + n/b fits in between",
              "batching more than halves the time of pieces up to 256 KiB"});
}

TEST_CASE("pinning pays after as many copies as its price holds savings", "[balance]") {
  std::vector<Price> rows;
  // A copy of n bytes saves n / 10 GB/s - n / 20 GB/s = n / 20 GB/s; pinning costs n / 2 GB/s more than
  // touching.
  add_line(rows, "prices/copy/h2d/host:pageable/bytes:", 0, 10e9);
  add_line(rows, "prices/copy/h2d/host:pinned/bytes:", 0, 20e9);
  add_line(rows, "prices/allocate/pinned/bytes:", 0, 1e9);
  add_line(rows, "prices/allocate/malloc_touched/bytes:", 0, 2e9);
  CHECK(said(rows, "pinning, copies h2d") ==
        Lines{"1.00 MiB: after 10.0 copies", "16.0 MiB: after 10.0 copies", "256 MiB: after 10.0 copies"});
  CHECK(said(rows, "pinning, copies d2h").empty());
}

TEST_CASE("pinning that saves nothing never pays, and cheap pinning pays at once", "[balance]") {
  std::vector<Price> rows;
  add_line(rows, "prices/copy/h2d/host:pageable/bytes:", 0, 20e9);
  add_line(rows, "prices/copy/h2d/host:pinned/bytes:", 0, 20e9);
  add_line(rows, "prices/copy/d2h/host:pageable/bytes:", 0, 1e9);
  add_line(rows, "prices/copy/d2h/host:pinned/bytes:", 0, 20e9);
  add_line(rows, "prices/allocate/pinned/bytes:", 0, 2e9);
  add_line(rows, "prices/allocate/malloc_touched/bytes:", 0, 4e9);
  CHECK(said(rows, "pinning, copies h2d").front() == "1.00 MiB: never");
  CHECK(said(rows, "pinning, copies d2h").front() == "1.00 MiB: with the first copy");
}

TEST_CASE("launches are hidden by kernels that take as long", "[balance]") {
  const std::vector<Price> rows{{.name = "prices/launch/back_to_back", .seconds = 2.5e-6},
                                {.name = "prices/graph/nodes:1024", .seconds = 1024e-6}};
  CHECK(said(rows, "shortest kernel that hides a launch") ==
        Lines{"2.50 us when launched one by one", "1.00 us as a node of a graph"});
}

TEST_CASE("an operator is bound by dispatch below the bytes that memory moves in its time", "[balance]") {
  const std::vector<Price> rows{
      {.name = "prices/dispatch/host/add", .seconds = 1e-6},
      {.name = "prices/triad/host/threads:1/bytes:256KiB", .seconds = 1, .bytes_per_second = 10.24e9},
      {.name = "prices/triad/host/threads:1/bytes:256MiB", .seconds = 1, .bytes_per_second = 99e9}};
  CHECK(said(rows, "host: operators bound by dispatch") ==
        Lines{"those that touch less than 10.0 KiB (a call costs 1.00 us, its bytes 10.2 GB/s)"});
}

TEST_CASE("fresh pages cost what keeping them saves", "[balance]") {
  auto rows = measured("prices/allocate/malloc_touched/bytes:",
                       {{"256KiB", 98.987}, {"4MiB", 1504.815}, {"64MiB", 27516.764}, {"1MiB", 1}});
  const auto kept = measured("prices/allocate/kept_touched/bytes:",
                             {{"256KiB", 0.537}, {"4MiB", 8.813}, {"64MiB", 146.271}});
  rows.insert(rows.end(), kept.begin(), kept.end());
  // 98.45 us for a quarter of a MiB, 1496.0 for 4, 27370.5 for 64; 1 MiB has nothing beside it.
  CHECK(said(rows, "keeping memory instead of fresh pages") == Lines{"saves 374 us to 428 us for each MiB"});
}

TEST_CASE("shared memory pays from the first size at which it stays cheaper", "[balance]") {
  std::vector<Price> rows;
  add_line(rows, "prices/handover/pipe/bytes:", 1e-6, 1e9);
  add_line(rows, "prices/handover/shared/bytes:", 10e-6, 10e9);
  CHECK(said(rows, "shared memory instead of a pipe") == Lines{"pays from 1.00 MiB"});
}

TEST_CASE("what cannot be told stands in a line for each reason, with the rows that it lacks", "[balance]") {
  const std::vector<Price> rows{{.name = "prices/thread/start", .seconds = 20e-6}};
  const auto text = balance_text(balance_of(rows), {});
  CHECK(text.find("20.0 us for a new thread") != text.npos);
  CHECK(std::ranges::count(text.substr(text.find("  not available")), '\n') < 10);
  const auto whole = balance_text(balance_of(rows), {.columns = 1000});
  const auto untold = whole.substr(whole.find("  not available"));
  CHECK(std::ranges::count(untold, '\n') == 2);
  CHECK_THAT(untold, ContainsSubstring("Needs a GPU: "));
  CHECK_THAT(untold, ContainsSubstring("Not measured: "));
  CHECK_THAT(balance_text(balance_of(rows), {.columns = 1000}, true),
             ContainsSubstring("Left out by --quick: "));
  for (const auto* family : {"product", "triad", "copy", "memcpy", "handover", "allocate", "launch", "graph",
                             "dispatch", "collective", "ping_pong"})
    CHECK_THAT(untold, ContainsSubstring(std::string("prices/") + family));
  CHECK_THAT(untold, !ContainsSubstring("prices/thread"));
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    CHECK(end - at <= 100);
    at = end + 1;
  }
}

TEST_CASE("what was measured at too few sizes for a line says that it needs more", "[balance]") {
  const std::vector<Price> rows{{.name = "prices/thread/start", .seconds = 20e-6},
                                {.name = "prices/memcpy/bytes:1KiB", .seconds = 10e-9},
                                {.name = "prices/memcpy/bytes:1MiB", .seconds = 10e-6}};
  const auto text = balance_text(balance_of(rows), {.columns = 1000});
  CHECK_THAT(text, ContainsSubstring("memcpy needs more sizes of prices/memcpy/bytes:*\n"));
  const auto lacking = text.substr(text.find("Not measured: "));
  CHECK_THAT(lacking, ContainsSubstring("prices/handover"));
  CHECK_THAT(lacking, !ContainsSubstring("prices/memcpy"));
}

TEST_CASE("the prices end with where they are and what comes next", "[balance]") {
  CHECK(next_text("prices.json", false, {}) ==
        "\nWritten to prices.json. Next: tuneproof run, whose last lines quote them.\n");
  CHECK(next_text("", false, {}) == "\nNext: tuneproof run\n");
  CHECK(next_text("p.json", true, {}) == "\nWritten to p.json. Next: tuneproof doctor\n");
}

TEST_CASE("the end says which prices other programs have touched, and nothing where none", "[balance]") {
  CHECK(
      busy_at_first(0.62, 0.09) ==
      "When it began, other programs took 62 % of the CPUs, and 9.0 % over all of it: do not trust the first "
      "prices.");
  CHECK(busy_at_first(0.1, 0.09).empty());
  CHECK(warning_text(busy_sentence("0.62"), {.columns = 1000}) ==
        "\nOther programs took 62 % of the CPUs meanwhile: do not trust these prices. Measure again when the "
        "machine "
        "is quiet.\n");
  CHECK(warning_text(busy_sentence("0.1"), {}).empty());
}

TEST_CASE("nothing follows from prices of a busy machine", "[balance]") {
  const std::vector<Price> prices{
      {.name = "prices/triad/host/threads:2/bytes:256MiB", .seconds = 1e-3, .bytes_per_second = 4e9}};
  CHECK(balance_of(prices, {}, "0.62").empty());
  CHECK_FALSE(balance_text(balance_of(prices, {}, "0.02"), {}).empty());
}

TEST_CASE("what needs a GPU is named with no subject that the host has, too", "[balance]") {
  const std::vector<Price> rows{{.name = "prices/thread/start", .seconds = 20e-6},
                                {.name = "prices/product/host/fp32/n:256", .seconds = 1e-3},
                                {.name = "prices/allocate/malloc_touched/bytes:1MiB", .seconds = 1e-3}};
  const auto text = balance_text(balance_of(rows), {.columns = 1000}, true);
  const auto at = text.find("Needs a GPU: ");
  const auto line = text.substr(at, text.find('\n', at) - at) + ",";
  for (const auto* needed : {"prices/product/device", "prices/triad/device", "prices/dispatch/device",
                             "prices/copy", "prices/allocate/pinned", "prices/launch", "prices/graph"})
    CHECK_THAT(line, ContainsSubstring(" " + std::string(needed) + ","));
  for (const auto* not_needed : {"prices/product", "prices/triad", "prices/dispatch", "prices/allocate"})
    CHECK_THAT(line, !ContainsSubstring(" " + std::string(not_needed) + ","));
}

TEST_CASE("without any row there is no balance", "[balance]") {
  CHECK(balance_text(balance_of({}), {}).empty());
}
