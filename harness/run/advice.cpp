#include "harness/run/advice.hpp"

#include "harness/run/open_rows.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::run {
namespace {

constexpr double worth_a_word = 0.05;  // of the CPU

/// From the session's begin to the end of its last round, in seconds.
double taken(const results::Results& results) {
  double end = 0;
  for (const auto& round : results.rounds) end = std::max(end, round.start + round.seconds);
  return end;
}

/// "6m", "1h30m": rounded up.
std::string budget_text(double seconds) {
  const auto minutes = static_cast<int>(std::ceil(seconds / 60));
  if (minutes < 60) return fmt::format("{}m", minutes);
  return minutes % 60 == 0 ? fmt::format("{}h", minutes / 60)
                           : fmt::format("{}h{}m", minutes / 60, minutes % 60);
}

}  // namespace

std::optional<double> other_work(const results::Results& results) {
  double share = 0, seconds = 0;
  for (const auto& round : results.rounds) {
    if (!round.other_cpu) continue;
    share += *round.other_cpu * round.seconds;
    seconds += round.seconds;
  }
  return seconds > 0 ? std::optional(share / seconds) : std::nullopt;
}

std::string advice(const results::Results& results) {
  if (!results.session.allotted || open_rows(results).empty() || results.rounds.empty()) return {};
  const auto other = other_work(results);
  const bool busy = other && *other >= worth_a_word;
  const auto more = prospect(results);
  auto text = busy ? fmt::format("Other work took {} of the CPU: wait until it has ended", share_text(*other))
                   : std::string();
  if (more.rows > 0)
    text += fmt::format("{}--budget {} would tell about {} more", busy ? ", or " : "",
                        budget_text(taken(results) + more.seconds), more.rows);
  if (text.empty())
    return "More rounds would hardly help. Run `tuneproof doctor` to see what disturbs this machine, or "
           "raise --pairs.";
  return text + ".";
}

}  // namespace harness::run
