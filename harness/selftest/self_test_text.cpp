#include "harness/selftest/self_test_text.hpp"

#include "harness/core/error_rates.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace harness::selftest {
namespace {

constexpr int indent = 15;

std::string rate_text(const Rate& rate) { return fmt::format("{}/{}", rate.hits, rate.trials); }

std::string share_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

/// "5 %" of 0.05, "2.5 %" of 0.025.
std::string short_share(double share) { return fmt::format("{:g} %", 100 * share); }

std::string found_text(const PairReport& pair) {
  const auto text = rate_text(pair.found);
  return pair.rounds_to_find > 0 ? fmt::format("{} (R {})", text, pair.rounds_to_find) : text;
}

std::string last_text(const PairReport& pair, const SelfTest& test) {
  if (!pair.sees) return fmt::format("cannot see {} here", short_share(test.planted));
  return share_text(pair.smallest_effect);
}

/// A bound is rounded to the unfavourable side: "at most 1.0 %" is not said of 1.04 %.
std::string upper_text(const Rate& rate) {
  return fmt::format("{:.2f} %", std::ceil(1e4 * rate_upper_bound(rate.hits, rate.trials)) / 100);
}
std::string lower_text(const Rate& rate) {
  return fmt::format("{:.2f} %", std::floor(1e4 * rate_lower_bound(rate.hits, rate.trials)) / 100);
}

std::string line(std::string_view lead, const std::string& text, const Style& style) {
  return indented(lead, text, indent, style);
}

std::string pairs_of(const Rate& rate) { return fmt::format("{} of {} pairs", rate.hits, rate.trials); }

std::string_view meaning(Grade grade) {
  switch (grade) {
    case Grade::a:
      return "meets all targets, and nine of ten pairs see the planted slowdown";
    case Grade::b:
      return "meets all targets, but more than one pair in ten is too noisy to see the slowdown";
    case Grade::c:
      return "misses a target: do not trust this machine's verdicts as they are";
    default:
      return "too few sessions to prove the targets; none is refuted";
  }
}

Ink ink_of(Grade grade) {
  if (grade == Grade::c) return Ink::red;
  return grade == Grade::open ? Ink::yellow : Ink::green;
}

std::string biased_pairs(const SelfTest& test, const SelfTestReport& report, const Style& style) {
  std::string text;
  for (std::size_t i = 0; i < report.pairs.size(); ++i) {
    const auto& pair = report.pairs[i];
    if (pair.layout_bias)
      text += line("layout bias",
                   fmt::format("{}: equal forms differ by {}", test.pairs[i].name,
                               change_text(pair.shift, pair.shift_interval)),
                   style);
  }
  return text;
}

}  // namespace

std::string self_test_table(const SelfTest& test, const SelfTestReport& report, const Style& style) {
  const auto share = short_share(test.planted);
  Columns table({"pair", "noise", "A/A", "+" + share, "-" + share, "equal", "smallest effect"});
  std::string rest;
  for (std::size_t i = 0; i < test.pairs.size(); ++i) {
    const auto& tested = test.pairs[i];
    const auto& pair = report.pairs[i];
    if (pair.false_claims.trials > 0)
      table.add({tested.name, share_text(pair.sd), rate_text(pair.false_claims), found_text(pair),
                 rate_text(pair.mirror_found), rate_text(pair.equal), last_text(pair, test)});
    if (!tested.reason.empty())
      rest +=
          fmt::format("  {}: {}{}\n", tested.name, tested.failed ? "failed: " : "skipped: ", tested.reason);
  }
  return (table.empty() ? "" : table.text(style)) + rest;
}

std::string self_test_summary(const SelfTest& test, const SelfTestReport& report, const Style& style) {
  const auto& [claims, comparisons] = report.false_claims;
  const auto& found = report.found;
  std::string text("\n");
  text += line("false claims",
               fmt::format("{} of {} A/A comparisons: at most {} with 95 % confidence (target 1 %)", claims,
                           comparisons, upper_text(report.false_claims)),
               style);
  text += line("other claims",
               fmt::format("counts differed in {}, CPU time claimed an effect in {} of them",
                           report.claims_by_counts.hits, report.claims_by_cpu.hits),
               style);
  text += line("found",
               fmt::format("{} of {} slowdowns of {}: at least {} with 95 % confidence (target 95 %)",
                           found.hits, found.trials, short_share(test.planted), lower_text(found)),
               style);
  text += line("can see it", pairs_of(report.sees) + ": those with noise up to 3 %", style);
  text += line("no effect",
               fmt::format("shown for {} with noise up to 2 %, over all A/A rounds (target 95 %)",
                           pairs_of(report.equal)),
               style);
  text += biased_pairs(test, report, style);
  const auto grade = fmt::format("{}: {}", to_string(report.grade), meaning(report.grade));
  return text + inked(line("grade", grade, style), ink_of(report.grade), style);
}

}  // namespace harness::selftest
