#include "prices/moving.hpp"

#include "harness/support/quantity.hpp"

#include "prices/fit.hpp"

#include <fmt/format.h>

namespace prices {
namespace {

using harness::rate_text;

std::string line_text(const Line& line) {
  auto start = line.start > 0 ? harness::time_text(line.start) : std::string("0");
  if (line.per_byte <= 0) return start;
  return fmt::format("{} + n / ({})", start, rate_text(1 / line.per_byte, "B"));
}

std::string rate_at(const Timed& time) {
  return fmt::format("{} at {}", rate_text(time.bytes / time.seconds, "B"), harness::memory_text(time.bytes));
}

}  // namespace

Balance moving(const PriceList& list, const std::string& about, const std::string& rows) {
  Balance line{about, {}, rows + "*"};
  const auto times = list.times(rows);
  const auto all = fit(times);
  line.few = !all && !times.empty();
  if (!all) return line;
  if (all->worst <= most_off)
    line.said.push_back(fmt::format("t = {}, at most {:.0f} % off", line_text(*all), 100 * all->worst));
  else
    line.said.push_back(
        fmt::format("{}, {}; no t = a + n/b fits in between", rate_at(times.front()), rate_at(times.back())));
  const auto up_to = batching_pays(times);
  line.said.push_back(up_to ? "batching more than halves the time of pieces up to " +
                                  harness::memory_text(*up_to)
                            : std::string("batching does not help at any size"));
  return line;
}

}  // namespace prices
