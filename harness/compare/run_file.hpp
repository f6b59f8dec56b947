// What a comparison, the history and the exports need of a results file. Reads every minor version of the
// schema, those before rounds were processes included.
#pragma once

#include "harness/compare/node.hpp"
#include "harness/core/step.hpp"
#include "harness/core/verdict.hpp"
#include "harness/results/fingerprint.hpp"
#include "harness/results/stand_in.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace harness::compare {

/// One row. Times are in seconds, the series in ln(seconds): one value per unit, the median over its slots.
struct RunRow {
  std::string name;
  std::string step;
  Verdict verdict = Verdict::inconclusive;
  std::vector<std::string> flags;
  std::string reason;  // why it was skipped or failed
  bool event = false;  // timed by CUDA events
  double delta = 0;
  double ratio = 1;
  std::optional<Interval> ratio_interval;
  double sd = 0;
  double smallest_effect = 0;
  double naive_seconds = 0;
  double optimized_seconds = 0;
  std::vector<double> log_ratios;
  std::vector<double> naive;
  std::vector<double> optimized;
  std::vector<Figure> figures;

  bool measured() const { return verdict != Verdict::skipped && verdict != Verdict::failed; }
};

/// One results file.
struct RunFile {
  std::string file;
  std::string session;  // its id
  std::string started;  // ISO 8601, UTC
  std::string commit;
  std::string seed;                             // as it stands there: "0x1f"
  std::string data_seed;                        // of made-up data; before 1.5 the same
  std::map<std::string, std::string> settings;  // what the rows depend on: threads, the workload's options
  double alpha = 0.01;
  results::Fingerprint fingerprint;
  std::vector<RunRow> rows;

  const RunRow* find(std::string_view name) const;
};

/// Throws BadInput, one sentence, for anything that is no results file of this major version, and for one
/// that was measured on the stand-in where that is not allowed.
RunFile read_run(const Document& document, results::StandIn stand_in = results::StandIn::refuse);
/// The same from a file of at most `most_results_bytes`.
RunFile read_run_file(const std::filesystem::path& file,
                      results::StandIn stand_in = results::StandIn::refuse);

/// Throws BadInput where the name is empty, longer than 16 KiB or has control characters: it goes to
/// terminals and to other tools.
std::string row_name_of(const Node& node);

}  // namespace harness::compare
