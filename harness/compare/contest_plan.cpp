#include "harness/compare/contest_plan.hpp"

#include "harness/run/run_session.hpp"
#include "harness/selftest/self_test_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace harness::compare {
namespace {

bool matches(const Build& one, const std::string& pattern) {
  try {
    return !run::select_rows(one.catalogue, {.patterns = {pattern}, .suite = Suite::full, .has_cuda = true})
                .empty();
  } catch (const BadInput&) {
    return false;
  }
}

/// A pattern may match in one of the two only: then the other has nothing to pair. `error` says why there is
/// no row.
std::vector<results::Row> rows_of(const Build& one, run::Selection selection, std::string& error) {
  const bool all = selection.patterns.empty();
  std::erase_if(selection.patterns, [&](const std::string& pattern) { return !matches(one, pattern); });
  if (!all && selection.patterns.empty()) return {};
  try {
    return run::planned_rows(one.catalogue, selection, parse_probe(one.probe));
  } catch (const BadInput& nothing) {
    error = nothing.what();
    return {};
  }
}

std::set<std::string> names_of(const std::vector<results::Row>& rows) {
  std::set<std::string> names;
  for (const auto& row : rows) names.insert(row.name);
  return names;
}

std::string self_test_note(const selftest::SelfTest& test, const std::vector<ContestRow>& rows) {
  const auto unknown = std::ranges::count_if(
      rows, [&](const ContestRow& row) { return !selftest::noise_of(test, row.row.name); });
  auto note = fmt::format("margins follow this machine class's self-test of {}, grade {}",
                          test.started.substr(0, 10), selftest::to_string(selftest::report_of(test).grade));
  if (selftest::report_of(test).grade == selftest::Grade::c)
    note += "; it missed a target, so a failure may be chance (run `tuneproof selftest` to see which)";
  if (unknown > 0)
    note += fmt::format("; {} of {} rows are not in it and get the default margin", unknown, rows.size());
  return note;
}

}  // namespace

std::vector<std::string> all_refusals(TwoPrograms& two, const std::vector<Across>& across,
                                      const std::string& self_test, bool no_self_test) {
  auto reasons = refusals(two.base, two.head, across);
  if (!reasons.empty() || no_self_test) return reasons;
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto machine = results::machine_class(two.head.fingerprint);
  if (self_test.empty()) {
    two.self_test = selftest::cached_self_test(machine, now);
  } else if (auto test = selftest::read_self_test(self_test); selftest::is_current(test, machine, now)) {
    two.self_test = std::move(test);
  } else {
    reasons.push_back(self_test + " is not a self-test of this class of machine from the last 30 days");
    return reasons;
  }
  const auto kept = selftest::self_test_cache(machine);
  if (!two.self_test)
    reasons.push_back(
        fmt::format("this class of machine has no self-test from the last 30 days, so nothing shows how far "
                    "to trust a gate{}; run `tuneproof selftest`, name one with --selftest FILE, or gate "
                    "without one by --no-selftest",
                    kept ? " (" + kept->string() + ")" : ""));
  return reasons;
}

void select(TwoPrograms& two, const run::Selection& selection) {
  for (const auto& pattern : selection.patterns)
    if (!matches(two.base, pattern) && !matches(two.head, pattern))
      run::select_rows(two.head.catalogue, {.patterns = {pattern}});  // throws, naming near misses
  std::string in_base, in_head;
  two.base_rows = rows_of(two.base, selection, in_base);
  two.head_rows = rows_of(two.head, selection, in_head);
  if (two.base_rows.empty() && two.head_rows.empty()) throw BadInput(in_head);
}

std::vector<std::string> only_in(const std::vector<results::Row>& rows,
                                 const std::vector<results::Row>& others) {
  const auto other_names = names_of(others);
  std::vector<std::string> names;
  for (const auto& row : rows)
    if (!other_names.contains(row.name)) names.push_back(row.name);
  return names;
}

results::Results blank_session(const TwoPrograms& two, const run::RunPlan& plan) {
  auto rows = two.head_rows;
  const auto in_base = names_of(two.base_rows);
  std::erase_if(rows, [&](const results::Row& row) { return !in_base.contains(row.name); });
  return run::new_results(plan, std::move(rows), two.head.fingerprint, two.head.commit);
}

void set_gating_looks(results::Results& session) {
  const auto open = std::ranges::count(session.rows, Verdict::inconclusive,
                                       [](const results::Row& row) { return row.judged.verdict; });
  session.session.looks =
      gating_looks({.looks = session.session.looks, .alpha = run::session_alpha}, static_cast<int>(open));
}

std::map<std::string, double> noise_of_rows(const TwoPrograms& two) {
  std::map<std::string, double> noise;
  if (!two.self_test) return noise;
  for (const auto& row : two.head_rows)
    if (const auto nu = selftest::noise_of(*two.self_test, row.name)) noise[row.name] = *nu;
  return noise;
}

std::vector<std::string> notes_of(const TwoPrograms& two, const std::vector<ContestRow>& rows) {
  std::vector<std::string> notes;
  for (auto& note : treatments(two.base, two.head)) notes.push_back(std::move(note));
  notes.push_back(two.self_test ? self_test_note(*two.self_test, rows)
                                : "this gate has no self-test, so its margins are the defaults: 3 % by CUDA "
                                  "events and 5 % by the host's clock");
  return notes;
}

}  // namespace harness::compare
