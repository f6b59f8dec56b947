// Noise that was recorded: 280 launches each of six identical pairs on a quiet and on a noisy machine
// (docs/measuring.md). Set TUNEPROOF_NOISE_DIR to read it from elsewhere.
#pragma once

#include "harness/core/median.hpp"
#include "harness/trace/trace_text.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness::example {

/// d of a quad, how long its four slots took, and which set of buffers its first variant had.
struct Quad {
  double d = 0;
  double log_seconds = 0;
  int set = 0;
};
using Launch = std::vector<Quad>;
using Recording = std::map<std::string, std::vector<Launch>, std::less<>>;  // by workload

inline double number(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

inline std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const auto comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == line.npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

/// Columns: launch, quad, workload, slot, variant, start, median, mean, min, bufset. No heading.
inline Recording read(const std::filesystem::path& file) {
  const auto text = trace::load_text(file, {});
  Recording recording;
  auto rest = text.view();
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const auto cells = split(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (cells.size() != 10) continue;
    const auto at = [](std::string_view cell) { return static_cast<std::size_t>(number(cell)); };
    auto& launches = recording[std::string(cells[2])];
    launches.resize(std::max(launches.size(), at(cells[0])));  // launches count from 1
    auto& quads = launches[at(cells[0]) - 1];
    quads.resize(std::max(quads.size(), at(cells[1]) + 1));
    auto& quad = quads[at(cells[1])];
    quad.d += (cells[4] == "B" ? 0.5 : -0.5) * std::log(number(cells[6]));
    quad.log_seconds += std::log(number(cells[6])) / 4;
    quad.set = static_cast<int>(number(cells[9]));
  }
  return recording;
}

inline Recording recorded(const std::string& name) {
  const auto* const folder = std::getenv("TUNEPROOF_NOISE_DIR");
  const auto file = std::filesystem::path(folder != nullptr ? folder : "../shared/noise") /
                    ("noise_cpu_" + name + ".csv.gz");
  if (!std::filesystem::exists(file))
    SKIP(file.string() + " is not there; TUNEPROOF_NOISE_DIR names its folder");
  return read(file);
}

/// D_r of every launch: the median over its first `pairs` crossed pairs, the mean of two quads with the sets
/// swapped. Without crossing: of two quads with the same set.
inline std::vector<double> rounds(const std::vector<Launch>& launches, std::size_t pairs, bool crossed) {
  std::vector<double> all;
  for (const auto& launch : launches) {
    std::vector<double> sets[2];
    for (const auto& quad : launch) sets[quad.set].push_back(quad.d);
    std::vector<double> values;
    for (std::size_t p = 0; p < pairs; ++p)
      values.push_back(crossed ? (sets[0].at(p) + sets[1].at(p)) / 2 : sets[0].at(p));
    all.push_back(median(std::move(values)));
  }
  return all;
}

}  // namespace harness::example
