#include "prices/exchanging.hpp"

#include "harness/support/quantity.hpp"

#include "prices/names.hpp"

#include <fmt/format.h>

#include <utility>

namespace prices {
namespace {

std::string all_reduces(const std::string& over, int ranks) {
  return fmt::format("prices/collective/all_reduce/{}/ranks:{}/bytes:", over, ranks);
}

/// A message's fixed part is its start: where that is dearer than its bytes, one message for several is worth
/// more than half of what they cost.
Balance reducing(const PriceList& list, const std::string& over, int ranks) {
  const auto rows = all_reduces(over, ranks);
  auto line = moving(list, fmt::format("all-reduce over {}, {} ranks", over, ranks), rows);
  const auto times = list.times(rows);
  const auto all = fit(times);
  if (all && all->worst <= most_off && all->break_even() > 0)
    line.said.push_back(
        fmt::format("break-even {}: bundle what is smaller, since its start costs more than its bytes",
                    harness::memory_text(all->break_even())));
  return line;
}

/// An all-reduce of two ranks sends as many bytes each way as a ping-pong does.
Balance beside_a_socket(const PriceList& list) {
  const std::string tcp = "prices/ping_pong/tcp/bytes:";
  const std::string copy = "prices/memcpy/bytes:";
  const auto rows = all_reduces("gloo", 2);
  Balance line{"all-reduce over gloo beside a socket", {}, rows + "*, " + tcp + "*, " + copy + "*"};
  for (const auto size : {4 * kib, mib, 64 * mib}) {
    const auto text = bytes_text(size);
    const auto all_reduce = list.seconds(rows + text);
    const auto ping_pong = list.seconds(tcp + text);
    const auto memcpy = list.seconds(copy + text);
    if (all_reduce && ping_pong && memcpy && *ping_pong > 0 && *memcpy > 0)
      line.said.push_back(fmt::format("{}: {} times a ping-pong over TCP, {} times a memcpy",
                                      harness::memory_text(static_cast<double>(size)),
                                      harness::digits_text(*all_reduce / *ping_pong),
                                      harness::digits_text(*all_reduce / *memcpy)));
  }
  return line;
}

using harness::rate_text;

std::string line_text(const Line& line) {
  auto start = line.start > 0 ? harness::time_text(line.start) : std::string("0");
  if (line.per_byte <= 0) return start;
  return fmt::format("{} + n / ({})", start, rate_text(1 / line.per_byte, "B"));
}

std::string rate_at(const Timed& time) {
  return fmt::format("{} at {}", rate_text(time.bytes / time.seconds, "B"), harness::memory_text(time.bytes));
}

/// Only a cache moves the smallest block faster than the largest.
bool is_cached(std::span<const Timed> times) {
  return times.front().bytes / times.front().seconds > times.back().bytes / times.back().seconds;
}

}  // namespace

std::vector<Balance> exchanging(const PriceList& list) {
  std::vector<Balance> all;
  for (const auto* over : {"gloo", "nccl"})
    for (const int ranks : {2, 4, 8}) {
      auto line = reducing(list, over, ranks);
      if (ranks == 2 || !line.said.empty()) all.push_back(std::move(line));
    }
  all.push_back(beside_a_socket(list));
  return all;
}

Balance moving(const PriceList& list, const std::string& about, const std::string& rows) {
  Balance line{about, {}, rows + "*"};
  const auto times = list.times(rows);
  const auto all = fit(times);
  line.few = !all && !times.empty();
  if (!all) return line;
  if (all->worst <= most_off)
    line.said.push_back(fmt::format("t = {}, at most {:.0f} % off", line_text(*all), 100 * all->worst));
  else
    line.said.push_back(fmt::format("{}, {}; no t = a + n/b fits in between{}", rate_at(times.front()),
                                    rate_at(times.back()),
                                    is_cached(times) ? ", for a cache holds small blocks" : ""));
  const auto up_to = batching_pays(times);
  line.said.push_back(up_to ? "batching more than halves the time of pieces up to " +
                                  harness::memory_text(*up_to)
                            : std::string("batching does not help at any size"));
  return line;
}

}  // namespace prices
