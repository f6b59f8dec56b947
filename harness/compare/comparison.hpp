// Two runs, row by row.
#pragma once

#include "harness/compare/across.hpp"
#include "harness/compare/run_file.hpp"

namespace harness::compare {

/// A number that carries no noise (calls, bytes, instructions) and is higher than it was with the same seed:
/// this fails the comparison (docs/measuring.md 8).
struct CountIncrease {
  std::string figure;
  std::string form;  // naive, optimized
  std::string unit;
  double base = 0;
  double current = 0;
  bool only_form = false;  // of a benchmark: then no text names it
};

/// What a benchmark reports beside its time: CPU time, rates, memory, counters of its own.
struct ComparedFigure {
  std::string name = {};
  std::string unit = {};  // "s" of a time; else empty
  double base = 0;
  double current = 0;
  Change change = {};
  bool worse = false;  // it changed for certain, and not for the better where that is known
};

/// Instructions of the optimized form that both sides counted: naive is BASE's, optimized the other's.
std::optional<Figure> instructions_in_both(const std::vector<Figure>& base,
                                           const std::vector<Figure>& current);
/// "equal instructions", "fewer instructions", "more instructions".
std::string instructions_word(const Figure& instructions);

/// One row that both runs have.
struct ComparedRow {
  std::string name;
  std::string step;
  Verdict verdict = Verdict::inconclusive;  // of the optimized form's time; `invalid` where one run has none
  std::string note = {};                    // why there is no verdict, or what qualifies it
  std::optional<Change> naive = {};         // empty where one of the runs did not measure the row
  std::optional<Change> optimized = {};
  std::optional<Change> speed_up = {};  // of the ratio optimized / naive: each run is its own control
  ValueWords words = {};                // what the values are
  double base_seconds = 0;              // of the optimized form, or what stands for its time
  double seconds = 0;                   // in the new run; both as the runs' own tables show them
  double delta = 0;
  double row_seconds = 0;  // what the row took in the new run
  bool lost = false;       // measured in base, and not in the new run
  bool leaning = false;    // undecided, and leans_slower
  bool one_form = false;   // there is no naive form: a benchmark, with fixed work beside it
  std::optional<Figure> instructions = {};
  std::vector<ComparedFigure> figures = {};
  std::vector<CountIncrease> increases = {};
  std::vector<std::string> vanished = {};  // counts that the new run does not have
};

/// Both runs.
struct Comparison {
  std::string base;  // the files
  std::string current;
  std::vector<ComparedRow> rows = {};
  std::vector<std::string> missing = {};  // in base only
  std::vector<std::string> added = {};    // in current only
  std::vector<results::Difference> differences =
      {};  // of the hard fingerprints and the settings, treatment aside
  std::vector<std::string> warnings = {};
  bool benchmarks = false;   // of Google Benchmark: rows of one form each
  bool one_session = false;  // nothing can have changed
};

/// How to compare.
struct CompareRules {
  std::vector<Across> across = {};
  bool allow_mismatch = false;  // compare in spite of differences; every verdict is then inconclusive
};

/// Puts each hard difference where it belongs: a note where it is the subject of the comparison, else among
/// the `differences`.
void add_differences(std::vector<results::Difference> found, const std::vector<Across>& across,
                     Comparison& result);
/// A host's name is not the machine: a hosted runner has another one in each job. So it is noted, and what
/// says how fast a machine may be (CPU model, cores, memory, GPU; of Google Benchmark CPUs and caches) is
/// refused.
void note_host(const std::string& base, const std::string& current, Comparison& result);
/// Marks the undecided rows that look slower. `series`: ln(time) of a row in either run.
void mark_leaning(Comparison& comparison,
                  const std::function<std::array<std::vector<double>, 2>(const std::string& row)>& series);
/// Takes the verdict of a row away that was measured in another environment.
void without_verdict(ComparedRow& row);
/// Cleans every text of it that came from a file: printable.
void clean(Comparison& comparison);

/// Pairs the rows by name. Where `differences` is not empty and no mismatch was allowed, the rows are not
/// compared.
Comparison compare_runs(const results::Results& base, const results::Results& current,
                        const CompareRules& rules);

/// True if rows were to be compared and were not, since the runs differ in what they must share.
bool refused(const Comparison& comparison, const CompareRules& rules);

/// Options and threads in which the runs differ: they make rows of one name different work.
std::vector<results::Difference> settings_differences(const results::Session& base,
                                                      const results::Session& current);

/// The figures that are counts and rose for certain: core/counts. Page faults never do. Of a benchmark of one
/// form those of the work, not of the fixed work beside it.
std::vector<CountIncrease> count_increases(const std::vector<Figure>& base,
                                           const std::vector<Figure>& current, bool one_form = false);
/// The counts of `base` that `current` does not have as such, by name, and why where it has a figure of that
/// name.
std::vector<std::string> vanished_counts(const std::vector<Figure>& base, const std::vector<Figure>& current);

}  // namespace harness::compare
