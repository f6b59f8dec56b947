#include "harness/run/sessions.hpp"

#include "harness/core/allot.hpp"
#include "harness/core/counts.hpp"
#include "harness/core/early_look.hpp"
#include "harness/core/slot_order.hpp"

namespace harness::run {
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
