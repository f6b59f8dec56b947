#include "harness/run/self_test.hpp"

#include "harness/core/error_rates.hpp"
#include "harness/core/median.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace harness::run {
namespace {

constexpr double most_noise_to_see = 0.03;
constexpr double most_noise_for_equal = 0.02;
constexpr double equal_target = 0.95;
constexpr double seeing_for_a = 0.9;
constexpr int enough_comparisons = 299;  // without a false claim they prove 1 %
constexpr int enough_planted = 59;       // all found, they prove 95 %
constexpr double claim_limit = 0.01;
constexpr double find_limit = 0.95;

bool is_claim(Verdict verdict) { return verdict == Verdict::helps || verdict == Verdict::hurts; }

double median_or_zero(std::vector<double> values) { return values.empty() ? 0 : median(std::move(values)); }

void count(Rate& rate, bool hit) {
  ++rate.trials;
  rate.hits += hit ? 1 : 0;
}

void add(Rate& sum, const Rate& rate) {
  sum.hits += rate.hits;
  sum.trials += rate.trials;
}

/// What the pair's A/A rounds, all of them in order, say at the looks of a long session.
void judge_all_rounds(PairReport& report, const TestedPair& pair, const SelfTest& test) {
  if (pair.aa_log_ratios.empty()) return;
  const Rule rule{{14, 28, 56}, test.alpha, test.delta};
  if (static_cast<int>(pair.aa_log_ratios.size()) >= rule.looks.front())
    report.all_rounds = judge(pair.aa_log_ratios, rule).verdict;
  const auto middle = median(pair.aa_log_ratios);
  report.shift = std::exp(middle);
  const auto interval = median_interval(pair.aa_log_ratios, test.alpha);
  if (!interval) return;
  report.shift_interval = Interval{std::exp(interval->low), std::exp(interval->high)};
  report.layout_bias = std::abs(middle) > test.delta / 2 && (interval->low > 0 || interval->high < 0);
}

/// True if the numbers could have been enough and still prove nothing, or prove the contrary.
bool misses_a_target(const SelfTestReport& report, int planted) {
  const auto& claims = report.false_claims;
  if (!report.false_claims_proven &&
      (claims.trials >= enough_comparisons || rate_lower_bound(claims.hits, claims.trials) > claim_limit))
    return true;
  const auto& found = report.found;
  const bool enough = found.trials >= enough_planted || planted >= 2 * enough_planted;
  const bool refuted = found.trials > 0 && rate_upper_bound(found.hits, found.trials) < find_limit;
  return !report.found_proven && (enough || refuted);
}

bool equal_enough(const Rate& equal) { return equal.hits >= equal_target * equal.trials; }

Grade grade_of(const SelfTestReport& report, int planted) {
  if (misses_a_target(report, planted)) return Grade::c;
  if (!report.false_claims_proven || !report.found_proven) return Grade::open;
  if (!equal_enough(report.equal)) return Grade::c;
  return report.sees.hits >= seeing_for_a * report.sees.trials ? Grade::a : Grade::b;
}

constexpr int lead_width = 15;

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
  return indented(lead, text, lead_width, style);
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

std::string_view to_string(Planted planted) {
  if (planted == Planted::nothing) return "nothing";
  return planted == Planted::slower ? "slower" : "faster";
}

Verdict truth_of(Planted planted) {
  if (planted == Planted::nothing) return Verdict::no_effect;
  return planted == Planted::slower ? Verdict::hurts : Verdict::helps;
}

std::string_view to_string(Grade grade) {
  constexpr std::string_view names[] = {"A", "B", "C", "open"};
  return names[static_cast<std::size_t>(grade)];
}

PairReport report_of(const TestedPair& pair, const SelfTest& test) {
  PairReport report;
  std::vector<double> sds, ratios, effects, rounds;
  for (const auto& session : pair.sessions) {
    const bool right = session.verdict == truth_of(session.planted);
    if (session.planted != Planted::nothing) {
      count(session.planted == Planted::slower ? report.found : report.mirror_found, right);
      if (right) rounds.push_back(session.rounds);
      continue;
    }
    count(report.false_claims, is_claim(session.verdict));
    count(report.equal, right);
    count(report.claims_by_counts, session.counts_differ);
    count(report.claims_by_cpu, is_claim(session.cpu));
    sds.push_back(session.sd);
    ratios.push_back(session.ratio);
    effects.push_back(session.smallest_effect);
  }
  report.sees = !sds.empty() && median(sds) <= most_noise_to_see;
  report.sd = median_or_zero(std::move(sds));
  report.nu = margin_noise(ratios);
  report.smallest_effect = median_or_zero(std::move(effects));
  report.rounds_to_find = static_cast<int>(std::lround(median_or_zero(std::move(rounds))));
  judge_all_rounds(report, pair, test);
  return report;
}

SelfTestReport report_of(const SelfTest& test) {
  SelfTestReport report;
  int planted = 0;
  for (const auto& pair : test.pairs) {
    const auto one = report_of(pair, test);
    report.pairs.push_back(one);
    add(report.false_claims, one.false_claims);
    add(report.claims_by_counts, one.claims_by_counts);
    add(report.claims_by_cpu, one.claims_by_cpu);
    planted += one.found.trials + one.mirror_found.trials;
    if (one.false_claims.trials == 0) continue;
    count(report.sees, one.sees);
    if (one.sees) add(report.found, one.found);
    if (one.sees) add(report.found, one.mirror_found);
    if (one.sd <= most_noise_for_equal && one.all_rounds)
      count(report.equal, *one.all_rounds == Verdict::no_effect);
  }
  const auto& [claims, comparisons] = report.false_claims;
  report.false_claims_proven = comparisons > 0 && accepts_false_claims(claims, comparisons);
  report.found_proven = accepts_power(report.found.hits, report.found.trials);
  report.grade = grade_of(report, planted);
  return report;
}

std::optional<double> noise_of(const SelfTest& test, std::string_view pair) {
  const auto found = std::ranges::find(test.pairs, pair, &TestedPair::name);
  if (found == test.pairs.end()) return std::nullopt;
  const auto report = report_of(*found, test);
  if (report.false_claims.trials == 0) return std::nullopt;
  return report.nu;
}

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

}  // namespace harness::run
