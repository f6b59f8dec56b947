// All that a search and its proof have found, as one JSON file: `tune --json`, which `report` shows.
#pragma once

#include "harness/results/results.hpp"
#include "harness/tune/plan.hpp"
#include "harness/tune/proof.hpp"
#include "harness/tune/tried.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::tune {

inline constexpr std::string_view tune_schema = "tuneproof-tune/1";

struct Outcome {
  Plan plan;
  std::string searcher;  // who asked
  std::string started;   // ISO 8601, UTC
  std::string commit;    // of the program
  results::Fingerprint fingerprint;
  std::vector<Tried> trials;
  std::vector<Candidate> candidates = {};
  std::optional<results::Results> proof = {};  // rows of the candidates
};

Json outcome_to_json(const Outcome& outcome);

/// True if the document says that it is such a file.
bool is_tune_file(const Json& json);

/// Throws BadInput, naming the place, where the document lacks what a report shows.
void require_tune_file(const Field& root);

}  // namespace harness::tune
