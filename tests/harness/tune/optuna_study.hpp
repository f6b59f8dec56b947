// Studies of the real Optuna, where the environment's Python has it.
#pragma once

#include "tests/harness/tune/fake_workload.hpp"

#include "harness/tune/optuna.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace harness::example {

inline std::string python() {
  const char* const named = std::getenv("TUNEPROOF_PYTHON");
  return named == nullptr ? "python3" : named;
}

/// Skips the test where there is no Optuna.
inline tune::Study study_of(const tune::Plan& plan, const std::string& storage = {}) {
  try {
    return tune::Study(plan, {python(), storage});
  } catch (const BadInput& error) {
    if (std::string(error.what()).find("tune needs") != std::string::npos) SKIP(error.what());
    throw;
  }
}

inline std::vector<tune::Tried> searched(const tune::Plan& plan, const tune::TrainSettings& train) {
  auto study = study_of(plan);
  return search(plan, study.searcher(), train, quiet(), no_time).trials;
}

inline std::vector<tune::Settings> settings_of(const std::vector<tune::Tried>& trials) {
  std::vector<tune::Settings> all;
  for (const auto& tried : trials) all.push_back(tried.settings);
  return all;
}

}  // namespace harness::example
