#include "prices/balance.hpp"

#include "harness/machine/host.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usual_file.hpp"

#include "prices/health.hpp"
#include "prices/price_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace prices {
namespace {

/// Three significant digits: 2.5, 98.4, 12345.
std::string figure(double value) {
  return value < 999.5 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

using harness::rate_text;

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

/// From which size handing over by shared memory is cheaper than writing into a pipe.
Balance shared_memory_pays(const PriceList& list) {
  Balance line{"shared memory instead of a pipe", {}, "prices/handover/{pipe,shared}/*"};
  const auto cheapest = list.first_cheaper("prices/handover/shared/bytes:", "prices/handover/pipe/bytes:");
  if (!cheapest.compared) return line;
  line.said.push_back(cheapest.from ? fmt::format("pays from {}", harness::memory_text(*cheapest.from))
                                    : std::string("does not pay at any measured size"));
  return line;
}

/// When a price is worth paying that saves so much each time.
std::string paid_after(double dearer, double saved) {
  if (saved <= 0) return "never";
  if (dearer <= saved) return "with the first copy";
  return fmt::format("after {:.1f} copies", dearer / saved);
}

/// After how many copies of a size page-locking it has paid for itself.
Balance pinning_pays(const PriceList& list, const std::string& direction) {
  const auto copies = "prices/copy/" + direction + "/host:";
  Balance line{"pinning, copies " + direction,
               {},
               copies + "{pageable,pinned}/*, prices/allocate/pinned/*, prices/allocate/malloc_touched/*"};
  for (const auto size : {mib, 16 * mib, 256 * mib}) {
    const auto text = bytes_text(size);
    const auto pageable = list.seconds(copies + "pageable/bytes:" + text);
    const auto pinned = list.seconds(copies + "pinned/bytes:" + text);
    const auto pin = list.seconds("prices/allocate/pinned/bytes:" + text);
    const auto plain = list.seconds("prices/allocate/malloc_touched/bytes:" + text);
    if (pageable && pinned && pin && plain)
      line.said.push_back(harness::memory_text(static_cast<double>(size)) + ": " +
                          paid_after(*pin - *plain, *pageable - *pinned));
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
  const double bytes = list.rate_in_cache(triad);
  if (!seconds || bytes == 0) return line;
  line.said.push_back(fmt::format("those that touch less than {} (a call costs {}, its bytes {})",
                                  harness::memory_text(*seconds * bytes), harness::time_text(*seconds),
                                  rate_text(bytes, "B")));
  return line;
}

/// Work that is done sooner here than by another thread or process.
Balance worth_handing_over(const PriceList& list) {
  Balance line{"shortest work worth another thread", {}, "prices/thread/*, prices/process/*"};
  if (const auto seconds = list.seconds("prices/thread/wake/condition"))
    line.said.push_back(
        fmt::format("{} for a waiting thread (there and back)", harness::time_text(*seconds)));
  if (const auto seconds = list.seconds("prices/thread/start"))
    line.said.push_back(fmt::format("{} for a new thread", harness::time_text(*seconds)));
  if (const auto seconds = list.seconds("prices/process/start/worker"))
    line.said.push_back(fmt::format("{} for a process with LibTorch", harness::time_text(*seconds)));
  return line;
}

/// What fresh pages cost beside pages that are there.
Balance reuse_pays(const PriceList& list) {
  Balance line{
      "keeping memory instead of fresh pages", {}, "prices/allocate/{malloc_touched,kept_touched}/*"};
  std::vector<double> saved;  // for each MiB
  const auto kept = list.times("prices/allocate/kept_touched/bytes:");
  for (const auto& fresh : list.times("prices/allocate/malloc_touched/bytes:"))
    for (const auto& same : std::ranges::equal_range(kept, fresh.bytes, {}, &Timed::bytes))
      saved.push_back((fresh.seconds - same.seconds) / fresh.bytes * 1048576);
  if (saved.empty()) return line;
  const auto [least, most] = std::ranges::minmax(saved);
  if (least > 0)
    line.said.push_back(
        fmt::format("saves {} to {} for each MiB", harness::time_text(least), harness::time_text(most)));
  else
    line.said.emplace_back("saves nothing at some sizes");
  return line;
}

/// The globs of which no row was measured.
std::string lacking(std::span<const Price> prices, std::string_view globs) {
  std::string all;
  while (!globs.empty()) {
    const auto glob = globs.substr(0, globs.find(", "));
    globs.remove_prefix(std::min(glob.size() + 2, globs.size()));
    const auto begin = glob.substr(0, glob.find_first_of("*{"));
    if (std::ranges::any_of(prices, [&](const Price& price) { return price.name.starts_with(begin); }))
      continue;
    all.append(all.empty() ? "" : ", ").append(glob);
  }
  return all;
}

}  // namespace

std::vector<Balance> balance_of(std::span<const Price> prices,
                                const std::optional<harness::DeviceModel>& sheet, std::string_view share) {
  if (!harness::busy_text(share).empty()) return {};  // nothing follows from prices that nobody may trust
  const PriceList list(prices);
  std::vector<Balance> all{
      flop_per_byte(list, "host"),
      flop_per_byte(list, "device"),
      of_data_sheet(list, sheet),
      beside(prices, other_machines(other_machines_tsv()), sheet),
      products_by_type(list),
      cliffs(prices),
      moving(list, "memcpy", "prices/memcpy/bytes:"),
      moving(list, "handing over by a pipe", "prices/handover/pipe/bytes:"),
      moving(list, "handing over in shared memory", "prices/handover/shared/bytes:"),
      shared_memory_pays(list),
      reuse_pays(list),
      moving(list, "copies h2d, pinned", "prices/copy/h2d/host:pinned/bytes:"),
      moving(list, "copies d2h, pinned", "prices/copy/d2h/host:pinned/bytes:"),
      moving(list, "copies h2d, pageable", "prices/copy/h2d/host:pageable/bytes:"),
      pinning_pays(list, "h2d"),
      pinning_pays(list, "d2h"),
      launch_hidden(list),
      dispatch_counts(list, "host"),
      dispatch_counts(list, "device"),
      worth_handing_over(list),
  };
  for (auto& line : exchanging(list)) all.push_back(std::move(line));
  for (auto& line : all)
    if (auto rows = lacking(prices, line.from); line.said.empty() && !rows.empty())
      line.from = std::move(rows);
  return all;
}

namespace {

/// The part of a glob up to what says that its rows need a GPU: "prices/product/device" of
/// "prices/product/device/*", whose subject has rows of the host, too; empty where nothing says so.
std::string_view gpu_rows(std::string_view glob) {
  constexpr std::array<std::string_view, 6> words{"/device/", "/copy/",   "/launch/",
                                                  "/graph/",  "/pinned/", "/nccl/"};
  auto end = glob.npos;
  for (const auto word : words)
    if (const auto at = glob.find(word); at != glob.npos) end = std::min(end, at + word.size() - 1);
  return end == glob.npos ? std::string_view() : glob.substr(0, end);
}

/// The rows that lines of a balance lack for one reason.
struct Untold {
  std::vector<std::string> families;

  void add(std::string_view family) {
    if (std::ranges::find(families, family) == families.end()) families.emplace_back(family);
  }
  /// "Needs a GPU: prices/copy, prices/launch".
  std::string text(std::string_view why) const {
    return fmt::format("{}: {}", why, fmt::join(families, ", "));
  }
};

/// A sentence for each reason.
std::vector<std::string> why_not(std::span<const Balance> lines, bool quick) {
  std::vector<std::string> reasons;
  Untold of_gpu, of_others;
  for (const auto& line : lines) {
    if (!line.said.empty()) continue;
    if (line.few) reasons.push_back(fmt::format("{} needs more sizes of {}", line.about, line.from));
    for (std::string_view rest = line.few ? std::string_view() : line.from; !rest.empty();) {
      const auto glob = rest.substr(0, rest.find(", "));
      rest.remove_prefix(std::min(glob.size() + 2, rest.size()));
      const auto needs_gpu = gpu_rows(glob);
      if (needs_gpu.empty())
        of_others.add(glob.substr(0, glob.find('/', glob.find('/') + 1)));  // "prices/memcpy"
      else
        of_gpu.add(needs_gpu);
    }
  }
  if (!of_gpu.families.empty()) reasons.push_back(of_gpu.text("Needs a GPU"));
  if (!of_others.families.empty())
    reasons.push_back(of_others.text(quick ? "Left out by --quick" : "Not measured"));
  return reasons;
}

}  // namespace

std::string balance_text(std::span<const Balance> lines, const harness::Style& style, bool quick) {
  constexpr int narrow = 80, beside = 40, below = 4;
  const int column = style.columns < narrow ? below : beside;
  const std::string_view break_of_lead = column == below ? "\n" : "";
  std::string told;
  for (const auto& line : lines) {
    if (line.said.empty()) continue;
    auto lead = fmt::format("  {}{}", line.about, break_of_lead);
    for (const auto& said : line.said)
      told += harness::indented(std::exchange(lead, ""), said, column, style);
    const auto from = harness::indented("", "from " + line.from, column, style);
    told += harness::inked(from.substr(0, from.size() - 1), harness::Ink::dim, style) + "\n";
  }
  if (told.empty()) return {};
  auto text = fmt::format("\n{}\n{}", harness::inked("BALANCE", harness::Ink::bold, style), told);
  auto lead = fmt::format("  not available{}", break_of_lead);
  for (const auto& reason : why_not(lines, quick))
    text += harness::indented(std::exchange(lead, ""), reason, column, style);
  return text;
}

std::string busy_sentence(std::string_view share) {
  auto text = harness::busy_text(share);
  if (text.empty()) return text;
  text.front() = 'O';
  return text + ": do not trust these prices. Measure again when the machine is quiet.";
}

std::string busy_at_first(double first, double all) {
  if (first <= harness::busy_share) return {};
  return fmt::format("When it began, {}, and {} over all of it: do not trust the first prices.",
                     harness::other_programs_text(first), harness::share_text(all));
}

std::string warning_text(const std::string& busy, const harness::Style& style) {
  if (busy.empty()) return {};
  auto text = harness::indented("", busy, 0, style);
  text.pop_back();
  return "\n" + harness::inked(text, harness::Ink::yellow, style) + "\n";
}

std::string next_text(const std::string& file, bool busy, const harness::Style& style) {
  const auto kept = file.empty() ? "" : fmt::format("Written to {}. ", file);
  const auto* const next = busy ? "Next: tuneproof doctor"
                           : file == harness::usual_prices
                               ? "Next: tuneproof run, whose last lines quote them."
                               : "Next: tuneproof run";
  return "\n" + harness::indented("", kept + next, 0, style);
}

}  // namespace prices
