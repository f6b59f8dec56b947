// What it costs to send bytes to another process and to get as many back, over TCP on the loopback: the least
// that an exchange between ranks over sockets can take.
#include "prices/echo.hpp"
#include "prices/machine.hpp"
#include "prices/names.hpp"
#include "prices/pattern.hpp"
#include "prices/row.hpp"

#include <fmt/format.h>

#include <vector>

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

}  // namespace

void add_ping_pong(const Machine& machine) {
  for (const auto size : fitting(ping_pong_sizes, 3, machine.host_bytes))
    add(fmt::format("prices/ping_pong/tcp/bytes:{}", bytes_text(size)), Clock::host,
        [size](benchmark::State& state) { ping_pong_row(state, size); });
}

}  // namespace prices
