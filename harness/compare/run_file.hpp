// What a comparison, the history and the exports ask of a results file, and what they make of its rows.
#pragma once

#include "harness/results/results.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace harness::compare {

/// A results file. Throws BadInput, one sentence, for anything that `results::results_from_json` does not
/// read, for one that does not say when and on what machine it was measured, and for one that was measured on
/// the stand-in where that is not allowed.
results::Results read_run(const Json& document, const std::string& name,
                          results::StandIn stand_in = results::StandIn::refuse);
/// The same from a file of at most `most_results_bytes`.
results::Results read_run_file(const std::filesystem::path& file,
                               results::StandIn stand_in = results::StandIn::refuse);

/// One value a unit: of the forms ln(seconds), the median over the unit's slots. Units without a finite value
/// are left out.
struct RowSeries {
  std::vector<double> naive;
  std::vector<double> optimized;
  std::vector<double> log_ratios;
};
RowSeries series_of(const results::Row& row);

/// One run of the form; 0 where the row was not timed, or what is judged is no time.
double form_seconds(const results::Row& row, Form form);

/// What the rows depend on: threads, the workload's options.
std::map<std::string, std::string> settings_of(const results::Session& session);

/// "0x1f"
std::string seed_text(std::uint64_t seed);

}  // namespace harness::compare
