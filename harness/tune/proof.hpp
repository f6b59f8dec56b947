// What a search claims, measured: its best settings and the best of plain advice as rows against the standard
// ones, in fresh rounds, judged as any row.
#pragma once

#include "harness/results/results.hpp"
#include "harness/tune/judge_trials.hpp"
#include "harness/tune/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace harness::tune {

/// Settings that are to be proven.
struct Candidate {
  std::string label;  // "best", "second", "third", "advice"
  Settings settings;
  double promised = 1;     // time per sample against the standard settings, as the search had it
  std::int64_t place = 1;  // of the row that measures it, on the axis `setting`
};

/// The search's best three that are faster than the standard settings, then the best of plain advice where it
/// is none of these. Empty where nothing was faster, or the standard settings have no answer.
/// At most `most` of them: the second and third go first, then the advice.
std::vector<Candidate> candidates(const Plan& plan, std::span<const Tried> trials,
                                  std::size_t most = catalogue::most_settings);

/// What the proof says of one candidate.
struct Proven {
  Candidate candidate;
  const results::Row* row = nullptr;  // null: not measured
  std::optional<double> loss_ratio;   // of the validation losses on fresh seeds; above 1: worse
  bool loss_holds = true;             // within the margin
};

std::vector<Proven> proven(const Plan& plan, const std::vector<Candidate>& candidates,
                           const results::Results* results);

/// The candidate that helps, keeps its loss, and is fastest; null: none does.
const Proven* winner(const std::vector<Proven>& all);

/// "promised -31 %, measured -24.1 % [-26.0, -22.3]: helps"; why not where there is no measurement.
std::string proof_text(const Proven& one);

/// What was found, in one sentence.
std::string conclusion(const std::vector<Proven>& all, bool compared = true);

}  // namespace harness::tune
