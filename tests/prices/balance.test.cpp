#include "prices/balance.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace prices;

namespace {

using Lines = std::vector<std::string>;

/// What the balance of these rows says about it.
Lines said(const std::vector<Price>& rows, const std::string& about) {
  const auto all = balance_of(rows);
  const auto found = std::ranges::find(all, about, &Balance::about);
  REQUIRE(found != all.end());
  return found->said;
}

/// t = start + n / rate at three sizes.
void add_line(std::vector<Price>& rows, const std::string& prefix, double start, double rate) {
  for (const auto& [text, bytes] :
       {std::pair{"1KiB", 1024.0}, std::pair{"1MiB", 1048576.0}, std::pair{"1GiB", 1073741824.0}})
    rows.push_back({.name = prefix + text, .seconds = start + bytes / rate});
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

TEST_CASE("a way to move bytes has a start, a rate and a size where both cost the same", "[balance]") {
  std::vector<Price> rows;
  add_line(rows, "prices/copy/h2d/host:pinned/bytes:", 10e-6, 25e9);
  // 10 us x 25 GB/s = 250,000 bytes = 244 KiB.
  CHECK(said(rows, "copies h2d, pinned") ==
        Lines{"t = 10.0 us + n / (25 GB/s), at most 0 % off",
              "below 244 KiB the start costs more than the bytes: batching pays"});
}

TEST_CASE("times that lie on no line have no size from which batching pays", "[balance]") {
  const std::vector<Price> rows{{.name = "prices/memcpy/bytes:1KiB", .seconds = 1e-8},
                                {.name = "prices/memcpy/bytes:4KiB", .seconds = 1e-6},
                                {.name = "prices/memcpy/bytes:16KiB", .seconds = 1e-6}};
  const auto lines = said(rows, "memcpy");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].starts_with("t = "));
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
      {.name = "prices/triad/host/threads:1/bytes:256MiB", .seconds = 1, .bytes_per_second = 10.24e9}};
  CHECK(said(rows, "host: operators bound by dispatch") ==
        Lines{"those that touch less than 10.0 KiB (a call costs 1.00 us)"});
}

TEST_CASE("fresh pages cost what keeping them saves", "[balance]") {
  std::vector<Price> rows;
  add_line(rows, "prices/allocate/malloc_touched/bytes:", 0, 1.048576e9);
  add_line(rows, "prices/allocate/kept_touched/bytes:", 0, 2.097152e9);
  CHECK(said(rows, "keeping memory instead of fresh pages") == Lines{"saves 500 us for each MiB"});
}

TEST_CASE("shared memory pays from the first size at which it stays cheaper", "[balance]") {
  std::vector<Price> rows;
  add_line(rows, "prices/handover/pipe/bytes:", 1e-6, 1e9);
  add_line(rows, "prices/handover/shared/bytes:", 10e-6, 10e9);
  CHECK(said(rows, "shared memory instead of a pipe") == Lines{"pays from 1.00 MiB"});
}

TEST_CASE("what cannot be told says which rows are missing", "[balance]") {
  const std::vector<Price> rows{{.name = "prices/thread/start", .seconds = 20e-6}};
  const auto text = balance_text(balance_of(rows), {});
  CHECK(text.find("20.0 us for a new one") != text.npos);
  CHECK(text.find("not told") != text.npos);
  CHECK(text.find("prices/memcpy/bytes:*") != text.npos);
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    CHECK(end - at <= 100);
    at = end + 1;
  }
}

TEST_CASE("without any row there is no balance", "[balance]") {
  CHECK(balance_text(balance_of({}), {}).empty());
}
