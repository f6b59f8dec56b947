#include "harness/run/machine_lines.hpp"

#include "harness/support/usual_file.hpp"

#include <fmt/format.h>

namespace harness::run {
namespace {

std::vector<std::string> lines_of(const std::string& file, const results::Results& results,
                                  const catalogue::Program& program) {
  std::vector<std::string> lines;
  for (const auto& said : program.machine_lines(file, results::place_of_prices(results.fingerprint)))
    lines.push_back(
        fmt::format("Machine, by {}: {}.", std::filesystem::path(file).filename().string(), said));
  return lines;
}

/// Of prices.json, for which nobody asked.
std::vector<std::string> usual_lines(const results::Results& results, const catalogue::Program& program) {
  const auto file = or_usual("", usual_prices);
  if (file.empty()) return {};
  try {
    return lines_of(file, results, program);
  } catch (const BadInput&) {
    return {};
  }
}

}  // namespace

std::vector<std::string> machine_lines(const results::Results& results, const catalogue::Program& program,
                                       const std::vector<std::string>& files) {
  if (program.machine_lines == nullptr) return {};
  std::vector<std::string> lines;
  for (const auto& file : files)
    std::ranges::move(lines_of(file, results, program), std::back_inserter(lines));
  if (files.empty()) lines = usual_lines(results, program);
  if (lines.empty())
    lines.emplace_back(
        "Machine: no prices of it say how good it is. `tuneproof prices --quick` measures them into "
        "prices.json; the end of the next run and `tuneproof report RESULT prices.json` quote them.");
  return lines;
}

}  // namespace harness::run
