#include "harness/run/self_test.hpp"

#include "harness/core/allot.hpp"
#include "harness/core/counts.hpp"
#include "harness/core/error_rates.hpp"
#include "harness/core/median.hpp"
#include "harness/core/slot_order.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <cmath>

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
  constexpr std::array<std::string_view, 4> meanings{
      "meets all targets, and nine of ten pairs see the planted slowdown",
      "meets all targets, but more than one pair in ten is too noisy to see the slowdown",
      "misses a target: do not trust this machine's verdicts as they are",
      "too few sessions to prove the targets; none is refuted"};
  return meanings[static_cast<std::size_t>(grade)];
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
                   fmt::format("{}: equal sides differ by {}", test.pairs[i].name,
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
    count(report.false_claims, is_change(session.verdict));
    count(report.equal, right);
    count(report.claims_by_counts, session.counts_differ);
    count(report.claims_by_cpu, is_change(session.cpu));
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

namespace {

constexpr int cycle = 6;
constexpr int slower_at = 1;
constexpr int faster_at = 4;
constexpr int comparisons_wanted = 299;   // prove 1 %, without a false claim
constexpr int slowdowns_wanted = 2 * 59;  // 59 prove 95 %; half of the pairs may be too noisy

/// Equal forms as `run` takes rows by itself: rounds are allotted. A slowdown is looked at up to three times,
/// since seeing 5 % through 3 % of noise takes up to 56 rounds (docs/measuring.md 5).
std::vector<int> looks_of(Planted planted) {
  return planted == Planted::nothing ? allotted_looks : std::vector{14, 28, 56};
}

TestedPair& pair_of(SelfTest& test, const std::string& name) {
  return *std::ranges::find(test.pairs, name, &TestedPair::name);
}

/// A pair that could not be measured is not tried again; one that could not be slowed still is an A/A pair.
bool takes_part(const TestedPair& pair, Planted planted) {
  return pair.reason.empty() || (planted == Planted::nothing && !pair.failed && !pair.sessions.empty());
}

results::Results session_of(SelfTest& test, const SessionsPlan& plan, const SessionView& view) {
  results::Results results;
  results.session.seed = row_seed(test.seed, "session " + std::to_string(view.number));
  results.session.looks = looks_of(view.planted);
  results.session.allotted = view.planted == Planted::nothing;
  if (results.session.allotted) results.session.early = early_looks;
  results.session.alpha = test.alpha;
  for (auto row : plan.rows) {
    if (!takes_part(pair_of(test, row.name), view.planted)) continue;
    row.delta = test.delta;
    results.session.rows.push_back(row.name);
    results.rows.push_back(std::move(row));
  }
  return results;
}

void add_row(TestedPair& pair, const results::Row& row, Planted planted) {
  if (results::is_error(row)) {
    pair.reason = row.reason;
    pair.failed = row.judged.verdict == Verdict::failed;
    return;
  }
  pair.sessions.push_back({.planted = planted,
                           .verdict = row.judged.verdict,
                           .rounds = row.rounds,
                           .ratio = row.judged.ratio,
                           .sd = row.judged.sd,
                           .smallest_effect = row.judged.smallest_effect,
                           .flags = row.judged.flags,
                           .counts_differ = counted_work(row.measured.figures) != CountedWork::same,
                           .cpu = row.cpu ? row.cpu->verdict : Verdict::inconclusive});
  if (planted != Planted::nothing) return;
  const auto& ratios = row.measured.log_ratios;
  pair.aa_log_ratios.insert(pair.aa_log_ratios.end(), ratios.begin(), ratios.end());
}

}  // namespace

Planted planted_in(int session) {
  if (session % cycle == slower_at) return Planted::slower;
  return session % cycle == faster_at ? Planted::faster : Planted::nothing;
}

int sessions_for(int pairs) {
  if (pairs <= 0) return 0;
  int comparisons = 0;
  int slowdowns = 0;
  int sessions = 0;
  while (comparisons < comparisons_wanted || slowdowns < slowdowns_wanted)
    (planted_in(sessions++) == Planted::nothing ? comparisons : slowdowns) += pairs;
  return sessions;
}

Plant plant_of(Planted planted, double share) {
  return {.same_forms = true,
          .slow_naive = planted == Planted::faster ? share : 0,
          .slow_optimized = planted == Planted::slower ? share : 0};
}

std::optional<int> run_sessions(SelfTest& test, const SessionsPlan& plan, const SessionRunner& runner) {
  Seconds longest{0};
  for (int number = 0; plan.sessions == 0 || number < plan.sessions; ++number) {
    const auto begin = runner.clock();
    if (number > 0 && plan.budget && begin + longest > *plan.budget) break;
    const SessionView view{number, planted_in(number)};
    auto results = session_of(test, plan, view);
    if (results.rows.empty() && view.planted == Planted::nothing) break;
    if (results.rows.empty()) continue;
    if (const auto signal = runner.run(results, view)) return signal;
    for (const auto& row : results.rows) add_row(pair_of(test, row.name), row, view.planted);
    test.seconds = runner.clock().count();
    longest = std::max(longest, runner.clock() - begin);
    runner.store();
  }
  return std::nullopt;
}

}  // namespace harness::run
