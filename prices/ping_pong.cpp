// What it costs to send bytes to another process and to get as many back, over TCP on the loopback: the least
// that an exchange between ranks over sockets can take.

#include "prices/pattern.hpp"
#include "prices/price_list.hpp"
#include "prices/price_row.hpp"
#include "prices/priced_machine.hpp"
#include "prices/taker.hpp"

#include <fmt/format.h>

namespace prices {
namespace {

constexpr std::size_t ping_pong_sizes[] = {kib, 4 * kib, 16 * kib, 64 * kib, 256 * kib,
                                           mib, 4 * mib, 16 * mib, 64 * mib};

void ping_pong_row(benchmark::State& state, std::size_t size) {
  constexpr std::uint32_t seed = 1;
  std::vector<std::byte> there(size);
  std::vector<std::byte> back(size);
  fill_pattern(there, seed);
  Echo echo(size);
  echo.ping_pong(there, back);
  for (auto _ : state) echo.ping_pong(there, back);
  require_pattern(back, seed);
  count_bytes(state, 2 * size);
}

// What it costs to hand bytes to another process, which copies them and says so: through a pipe, and through
// memory that both see (a byte in a pipe then says that they are there).

constexpr std::size_t sizes[] = {kib, 4 * kib, 16 * kib, 64 * kib, 256 * kib,
                                 mib, 4 * mib, 16 * mib, 64 * mib};

void handover_row(benchmark::State& state, Taker::Way way, std::size_t size) {
  std::vector<std::byte> bytes(size);
  fill_pattern(bytes, Taker::seed);
  Taker taker(way, size);
  taker.hand_over_checked(bytes);
  for (auto _ : state) taker.hand_over(bytes);
  taker.hand_over_checked(bytes);
  count_bytes(state, size);
}

}  // namespace

void add_ping_pong(const Machine& machine) {
  for (const auto size : fitting(ping_pong_sizes, 3, machine.host_bytes))
    add(fmt::format("prices/ping_pong/tcp/bytes:{}", bytes_text(size)), Clock::host,
        [size](benchmark::State& state) { ping_pong_row(state, size); });
}

void add_handover(const Machine& machine) {
  for (const auto way : {Taker::Way::pipe, Taker::Way::shared})
    for (const auto size : fitting(sizes, 3, machine.host_bytes))
      add(fmt::format("prices/handover/{}/bytes:{}", way == Taker::Way::pipe ? "pipe" : "shared",
                      bytes_text(size)),
          Clock::host, [way, size](benchmark::State& state) { handover_row(state, way, size); });
}

}  // namespace prices
