#include "harness/run/predictions.hpp"

#include "harness/results/prediction.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace harness::run {
namespace {

constexpr std::size_t most_kinds = 4;

/// The unit in which the larger end of an interval has one to three digits before its point.
std::pair<double, std::string_view> unit_of(double seconds) {
  constexpr std::array<std::pair<double, std::string_view>, 3> units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}}};
  for (const auto& unit : units)
    if (std::abs(seconds) >= unit.first) return unit;
  return {1e-9, "ns"};
}

std::string digits(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  return fmt::format("{:.{}f}", value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

std::string count_of(const results::RemovedWork& work) {
  const double count = std::abs(work.count);
  const auto number = count >= 100 || count == std::round(count) ? fmt::format("{:.0f}", count)
                                                                 : fmt::format("{:.3g}", count);
  if (work.what.starts_with("bytes")) return memory_text(std::abs(work.amount)) + work.what.substr(5);
  if (work.what.starts_with("FLOP")) return amount_text(std::abs(work.amount), work.what);
  return number + " " + work.what;
}

/// "removes 914 operator calls (315 us); adds 2 page faults (-1.1 us)".
std::string removes_text(const results::Prediction& prediction) {
  std::vector<std::string> parts;
  if (prediction.elsewhere) parts.push_back(elsewhere_text(prediction));
  const auto most = parts.size() + most_kinds;
  for (const auto& work : prediction.removes) {
    if (parts.size() == most) break;
    const bool adds =
        work.what.starts_with("bytes") || work.what.starts_with("FLOP") ? work.amount < 0 : work.count < 0;
    parts.push_back(fmt::format("{} {} ({})", adds ? "adds" : "removes", count_of(work),
                                time_text(std::abs(work.seconds))));
  }
  if (prediction.removes.size() > most_kinds)
    parts.push_back(fmt::format("{} more", prediction.removes.size() - most_kinds));
  if (prediction.hidden > 0)
    parts.push_back(fmt::format("{} more was hidden anyway", time_text(prediction.hidden)));
  parts.push_back(fmt::format("{} explain {:.0f} % of the form below",
                              results::is_replayed(prediction) ? "all its operators" : "the prices",
                              100 * prediction.explained));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string check_text(const results::PredictionCheck& check) {
  const auto error = fmt::format("{:+.1f} %", 100 * check.error);
  return fmt::format("{:29} {:>8}  {}", saving_text(check.saving, check.interval), error,
                     check.meets ? "meet" : "miss");
}

std::string predicted_row(const results::Row& row, const Style& style) {
  const auto& prediction = *row.prediction;
  auto out = fmt::format("  {}\n", row.name);
  if (!prediction.reason.empty()) return out + indented("      no prediction:", prediction.reason, 21, style);
  const auto check = results::check_prediction(row);
  out += fmt::format("      {:29} {}\n", saving_text(prediction.saving, prediction.interval),
                     check ? check_text(*check) : "not measured");
  auto below = indented("", removes_text(prediction), 6, style);
  below.pop_back();
  return out + inked(below, Ink::dim, style) + "\n";
}

}  // namespace

std::string saving_text(double seconds, const Interval& interval) {
  const double largest = std::max({std::abs(seconds), std::abs(interval.low), std::abs(interval.high)});
  const auto [size, name] = unit_of(largest);
  return fmt::format("{} {} [{}, {}]", digits(seconds / size), name, digits(interval.low / size),
                     digits(interval.high / size));
}

std::string predicted_change(const results::Row& row) {
  if (!row.prediction || !row.prediction->reason.empty() || !(row.prediction->below > 0)) return {};
  const auto& [low, high] = row.prediction->interval;
  const double below = row.prediction->below;
  return change_text(1 - row.prediction->saving / below, Interval{1 - high / below, 1 - low / below});
}

std::string elsewhere_text(const results::Prediction& prediction) {
  if (!prediction.elsewhere || !(prediction.below > 0)) return {};
  const auto& there = *prediction.elsewhere;
  return fmt::format("{} on {}, {} by counts here", change_text(1 - there.share, std::nullopt), there.machine,
                     change_text(1 - there.counted / prediction.below, std::nullopt));
}

std::string predictions_table(std::span<const results::Row> rows, const Style& style) {
  const auto has_one = [](const results::Row& row) {
    return row.prediction.has_value() && !row.name.empty();
  };
  if (std::ranges::none_of(rows, has_one)) return {};
  const auto heading = fmt::format("      {:29} {:29} {:>8}  {}", "PREDICTED TO SAVE, A RUN", "MEASURED",
                                   "ERROR", "INTERVALS");
  const auto elsewhere = std::ranges::any_of(
      rows, [](const results::Row& row) { return row.prediction && row.prediction->elsewhere; });
  const auto meaning = indented(
      "",
      fmt::format("The work that the tip removes, counted and priced for this machine before anything was "
                  "measured.{} The error is a share of the naive form's time.",
                  elsewhere
                      ? " Where a row was measured on another machine, what it saved there is predicted, "
                        "and counts say how far to trust that."
                      : ""),
      0, style);
  auto out = fmt::format("\n{}{}\n", meaning, inked(heading, Ink::bold, style));
  for (const auto& row : rows)
    if (has_one(row) && row.judged.verdict != Verdict::skipped) out += predicted_row(row, style);
  return out;
}

}  // namespace harness::run
