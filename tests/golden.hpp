// Whole outputs, kept in tests/golden: a change of output is a reviewed difference.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace tests {

/// The kept text of that name. Tests run in the project's folder. With TUNEPROOF_WRITE_GOLDEN=1 in the
/// environment `now` is kept instead; then read the difference before it is committed.
inline std::string golden(const std::string& name, const std::string& now) {
  const auto file = "tests/golden/" + name;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets it
  if (std::getenv("TUNEPROOF_WRITE_GOLDEN") != nullptr) std::ofstream(file) << now;
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace tests
