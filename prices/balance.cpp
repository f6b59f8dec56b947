#include "prices/balance.hpp"

#include "harness/report/number.hpp"
#include "harness/report/text.hpp"

#include "prices/fit.hpp"
#include "prices/price_list.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

namespace prices {
namespace {

constexpr double most_off = 0.5;  // of a line that is still one

/// Three significant digits: 2.5, 98.4, 12345.
std::string figure(double value) {
  return value < 999.5 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

std::string rate_text(double per_second, std::string_view unit) {
  return fmt::format("{} G{}/s", figure(per_second / 1e9), unit);
}

/// How many FLOP the machine can do in the time that its memory takes for a byte, for each type.
Balance flop_per_byte(const PriceList& list, const std::string& where) {
  const auto products = "prices/product/" + where + "/";
  const auto triad = "prices/triad/" + where + "/";
  Balance line{where + ": FLOP per byte", {}, products + "*, " + triad + "*"};
  const double bytes = list.rate_of_largest(triad);
  if (bytes == 0) return line;
  for (const auto* type : {"fp32", "tf32", "fp16", "bf16"}) {
    const double flop = list.best_flop(products + type);
    if (flop == 0) continue;
    line.said.push_back(fmt::format("{} {} ({} over {})", type, figure(flop / bytes), rate_text(flop, "FLOP"),
                                    rate_text(bytes, "B")));
  }
  return line;
}

std::string line_text(const Line& line) {
  const auto start = line.start > 0 ? harness::time_text(line.start) : std::string("0");
  if (line.per_byte <= 0) return start;
  return fmt::format("{} + n / ({})", start, rate_text(1 / line.per_byte, "B"));
}

/// Start and rate of a way to move bytes, and the size at which both cost the same: below it, batching pays.
/// Times that lie on no line (caches) have no such size.
Balance fitted(const PriceList& list, const std::string& about, const std::string& rows) {
  Balance line{about, {}, rows + "*"};
  const auto all = fit(list.times(rows));
  if (!all) return line;
  line.said.push_back(fmt::format("t = {}, at most {:.0f} % off", line_text(*all), 100 * all->worst));
  if (const auto even = even_size(*all); even && all->worst <= most_off)
    line.said.push_back(fmt::format("below {} the start costs more than the bytes: batching pays",
                                    harness::memory_text(*even)));
  return line;
}

/// From which size handing over by shared memory is cheaper than writing into a pipe.
Balance shared_memory_pays(const PriceList& list) {
  Balance line{"shared memory instead of a pipe", {}, "prices/handover/{pipe,shared}/*"};
  const auto cheapest = list.first_cheaper("prices/handover/shared/bytes:", "prices/handover/pipe/bytes:");
  if (!cheapest.compared) return line;
  line.said.push_back(cheapest.from ? fmt::format("pays from {}", harness::memory_text(*cheapest.from))
                                    : std::string("pays at no size that was measured"));
  return line;
}

/// After how many copies of a size page-locking it has paid for itself.
Balance pinning_pays(const PriceList& list, const std::string& direction) {
  const auto copies = "prices/copy/" + direction + "/host:";
  Balance line{"pinning, copies " + direction,
               {},
               copies + "{pageable,pinned}/*, prices/allocate/pinned/*, prices/allocate/malloc_touched/*"};
  const auto pageable = fit(list.times(copies + "pageable/bytes:"));
  const auto pinned = fit(list.times(copies + "pinned/bytes:"));
  const auto pin = fit(list.times("prices/allocate/pinned/bytes:"));
  const auto plain = fit(list.times("prices/allocate/malloc_touched/bytes:"));
  if (!pageable || !pinned || !pin || !plain) return line;
  for (const double bytes : {1048576.0, 16777216.0, 268435456.0}) {
    const double saved = pageable->at(bytes) - pinned->at(bytes);
    const double dearer = pin->at(bytes) - plain->at(bytes);
    const auto size = harness::memory_text(bytes);
    if (saved <= 0)
      line.said.push_back(fmt::format("{}: never", size));
    else if (dearer <= saved)
      line.said.push_back(fmt::format("{}: with the first copy", size));
    else
      line.said.push_back(fmt::format("{}: after {:.1f} copies", size, dearer / saved));
  }
  return line;
}

/// A kernel that is shorter than this is over before the next one has been launched.
Balance launch_hidden(const PriceList& list) {
  Balance line{"shortest kernel that hides a launch", {}, "prices/launch/back_to_back, prices/graph/nodes:*"};
  if (const auto seconds = list.seconds("prices/launch/back_to_back"))
    line.said.push_back(fmt::format("{} when launched one by one", harness::time_text(*seconds)));
  if (const auto node = list.per_node("prices/graph/nodes:"))
    line.said.push_back(fmt::format("{} as a node of a graph", harness::time_text(*node)));
  return line;
}

/// Tensors so small that calling the operator costs more than their bytes.
Balance dispatch_counts(const PriceList& list, const std::string& where) {
  const auto row = "prices/dispatch/" + where + "/add";
  const auto triad = "prices/triad/" + where + "/";
  Balance line{where + ": operators bound by dispatch", {}, row + ", " + triad + "*"};
  const auto seconds = list.seconds(row);
  const double bytes = list.rate_of_largest(triad);
  if (!seconds || bytes == 0) return line;
  line.said.push_back(fmt::format("those that touch less than {} (a call costs {})",
                                  harness::memory_text(*seconds * bytes), harness::time_text(*seconds)));
  return line;
}

/// Work that is done sooner here than by another thread or process.
Balance worth_handing_over(const PriceList& list) {
  Balance line{"shortest work worth another thread", {}, "prices/thread/*, prices/process/*"};
  if (const auto seconds = list.seconds("prices/thread/wake/condition"))
    line.said.push_back(fmt::format("{} for one that waits (there and back)", harness::time_text(*seconds)));
  if (const auto seconds = list.seconds("prices/thread/start"))
    line.said.push_back(fmt::format("{} for a new one", harness::time_text(*seconds)));
  if (const auto seconds = list.seconds("prices/process/start/worker"))
    line.said.push_back(fmt::format("{} for a process with LibTorch", harness::time_text(*seconds)));
  return line;
}

/// What fresh pages cost beside pages that are there.
Balance reuse_pays(const PriceList& list) {
  Balance line{
      "keeping memory instead of fresh pages", {}, "prices/allocate/{malloc_touched,kept_touched}/*"};
  const auto fresh = fit(list.times("prices/allocate/malloc_touched/bytes:"));
  const auto kept = fit(list.times("prices/allocate/kept_touched/bytes:"));
  if (!fresh || !kept) return line;
  const double saved = (fresh->per_byte - kept->per_byte) * 1048576;
  if (saved > 0)
    line.said.push_back(fmt::format("saves {} for each MiB", harness::time_text(saved)));
  else
    line.said.emplace_back("saves nothing that can be seen");
  return line;
}

}  // namespace

std::vector<Balance> balance_of(std::span<const Price> prices) {
  const PriceList list(prices);
  std::vector<Balance> all{
      flop_per_byte(list, "host"),
      flop_per_byte(list, "device"),
      fitted(list, "memcpy", "prices/memcpy/bytes:"),
      fitted(list, "handing over by a pipe", "prices/handover/pipe/bytes:"),
      fitted(list, "handing over in shared memory", "prices/handover/shared/bytes:"),
      shared_memory_pays(list),
      reuse_pays(list),
      fitted(list, "copies h2d, pinned", "prices/copy/h2d/host:pinned/bytes:"),
      fitted(list, "copies d2h, pinned", "prices/copy/d2h/host:pinned/bytes:"),
      fitted(list, "copies h2d, pageable", "prices/copy/h2d/host:pageable/bytes:"),
      pinning_pays(list, "h2d"),
      pinning_pays(list, "d2h"),
      launch_hidden(list),
      dispatch_counts(list, "host"),
      dispatch_counts(list, "device"),
      worth_handing_over(list),
  };
  return all;
}

std::string balance_text(std::span<const Balance> lines, const harness::Style& style) {
  constexpr int column = 40;
  std::string told;
  std::string untold;
  for (const auto& line : lines) {
    if (line.said.empty()) {
      untold += fmt::format("{}{} (no {})", untold.empty() ? "" : "; ", line.about, line.from);
      continue;
    }
    std::string lead = "  " + line.about;
    for (const auto& said : line.said)
      told += harness::indented(std::exchange(lead, ""), said, column, style);
    const auto from = harness::indented("", "from " + line.from, column, style);
    told += harness::inked(from.substr(0, from.size() - 1), harness::Ink::dim, style) + "\n";
  }
  if (told.empty()) return {};
  auto text = "\n" + harness::inked("BALANCE", harness::Ink::bold, style) + "\n" + told;
  if (!untold.empty()) text += harness::indented("  not told", untold + ".", column, style);
  return text;
}

}  // namespace prices
