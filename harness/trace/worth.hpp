// What the tips that a finding names were worth when they were measured here, and what that means for the
// trace; which of a step's rows resembles the program that was recorded.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/core/verdict.hpp"
#include "harness/support/terminal.hpp"
#include "harness/trace/diagnosis.hpp"
#include "harness/trace/program_facts.hpp"

namespace harness::trace {

/// A row when it was last measured.
struct Worth {
  std::string row, step;
  std::string started;  // ISO 8601
  bool on_device = false;
  bool other_machine = false;  // another CPU than this machine's
  Verdict verdict = Verdict::inconclusive;
  double ratio = 0;
  Interval interval;
};

/// The measured rows of results files, of each the last; from a folder, of all results files in it. Throws
/// BadInput where there is none.
std::vector<Worth> read_worths(const std::vector<std::string>& paths);

/// Of each finding that names steps: what they were worth here, scaled to the trace, or the command that
/// measures them and how long it takes. Empty where no finding names a step.
std::string worth_section(const Diagnosis& diagnosis, std::span<const Worth> worths,
                          const catalogue::Catalogue& catalogue, const Style& style);

/// The same as data, of one trace or of the ranks of one run: a list with an object for each measured step of
/// each finding, the middle one of its rows; docs/diagnose.md has the fields.
nlohmann::ordered_json worth_json(std::span<const Diagnosis> diagnoses, std::span<const Worth> worths);

/// The steps that findings which save something name, that have rows on what the trace is of, and of which
/// none was measured; each once.
std::vector<std::string> steps_without_worth(const Diagnosis& diagnosis, std::span<const Worth> worths,
                                             const catalogue::Catalogue& catalogue);

/// How a row compares with a program in the sizes that both have.
struct Resemblance {
  double distance = 0;  // in doublings, over all of these sizes
  std::string words;    // "workers 4 (here 2), batch 16 (here 64)"
};

/// Nothing where the two share no size.
std::optional<Resemblance> resemblance(const catalogue::Step& step, const catalogue::Row& row,
                                       const ProgramFacts& program);

/// The row on that kind of device which resembles the program most; without a size in common the first quick
/// one, else the first. nullptr where the step has none on that device.
const catalogue::Row* most_alike(const catalogue::Step& step, Device::Kind device,
                                 const ProgramFacts& program);

}  // namespace harness::trace
