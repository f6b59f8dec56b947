// What two programs are to measure together, and what stands behind the gate.
#pragma once

#include "harness/compare/build.hpp"
#include "harness/compare/gate_session.hpp"
#include "harness/run/run_arguments.hpp"
#include "harness/selftest/self_test.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace harness::compare {

/// Both programs, and the rows that were asked for of each.
struct TwoPrograms {
  Build base, head;
  std::optional<selftest::SelfTest> self_test = {};
  std::vector<results::Row> base_rows = {}, head_rows = {};
};

/// Why they may not be gated, in sentences. Looks for the self-test on the way, unless none is wanted.
/// `self_test`: the file of one; empty: that of this class of machine, kept by `selftest`.
std::vector<std::string> all_refusals(TwoPrograms& two, const std::vector<Across>& across,
                                      const std::string& self_test, bool no_self_test);

/// Finds the rows in both. Throws BadInput where the patterns match in neither.
void select(TwoPrograms& two, const run::Selection& selection);

/// The names of the rows that have none of that name among the others.
std::vector<std::string> only_in(const std::vector<results::Row>& rows,
                                 const std::vector<results::Row>& others);

/// The rows that both have, blank, or skipped where HEAD cannot run them here.
results::Results blank_session(const TwoPrograms& two, const run::RunPlan& plan);
/// Leaves the looks at which so many rows can be gated. Throws BadInput where there is none.
void set_gating_looks(results::Results& session);

/// nu of the rows that the self-test names.
std::map<std::string, double> noise_of_rows(const TwoPrograms& two);

/// What else is to be known of the outcome.
std::vector<std::string> notes_of(const TwoPrograms& two, const std::vector<ContestRow>& rows);

}  // namespace harness::compare
