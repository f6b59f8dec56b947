// The files of reference numbers (tests/golden/README.md).
#pragma once

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace golden {

/// The directory of the reference numbers: TUNEPROOF_GOLDEN_DIR, else the project's.
inline std::filesystem::path directory() {
  const auto* chosen = std::getenv("TUNEPROOF_GOLDEN_DIR");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return chosen != nullptr ? std::filesystem::path(chosen)
                           : std::filesystem::path(TUNEPROOF_TESTS_DIR) / "golden";
}

inline nlohmann::ordered_json load(const std::string& file) {
  std::ifstream in(directory() / file);
  if (!in) throw std::runtime_error("cannot read " + (directory() / file).string());
  return nlohmann::ordered_json::parse(in);
}

}  // namespace golden
