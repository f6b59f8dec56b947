// The decision on noise that was recorded: 280 launches each of six identical pairs on a quiet and on a noisy
// machine (docs/measuring.md 5). Rounds are drawn from the launches. Set TUNEPROOF_NOISE_DIR to read it from
// elsewhere.
#include "tests/harness/core/looks_of.hpp"
#include "tests/harness/core/noise.hpp"

#include "harness/core/interval.hpp"
#include "harness/core/median.hpp"
#include "harness/core/verdict.hpp"
#include "harness/trace/text.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace harness;
using namespace harness::trace;

namespace {

const Rule rule{.looks = {14, 28, 56}, .delta = 0.02};

/// d of a quad, and which set of buffers its first variant had.
struct Quad {
  double d = 0;
  int set = 0;
};
using Launch = std::vector<Quad>;
using Recording = std::map<std::string, std::vector<Launch>, std::less<>>;  // by workload

double number(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const auto comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == line.npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

/// Columns: launch, quad, workload, slot, variant, start, median, mean, min, bufset. No heading.
Recording read(const std::filesystem::path& file) {
  const auto text = load_text(file, {});
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
    quad.set = static_cast<int>(number(cells[9]));
  }
  return recording;
}

Recording recorded(const std::string& name) {
  const auto* const folder = std::getenv("TUNEPROOF_NOISE_DIR");
  const auto file = std::filesystem::path(folder != nullptr ? folder : "../shared/noise") /
                    ("noise_cpu_" + name + ".csv.gz");
  if (!std::filesystem::exists(file))
    SKIP(file.string() + " is not there; TUNEPROOF_NOISE_DIR names its folder");
  return read(file);
}

/// D_r of every launch: the median over its first `pairs` crossed pairs, the mean of two quads with the sets
/// swapped. Without crossing: of two quads with the same set.
std::vector<double> rounds(const std::vector<Launch>& launches, std::size_t pairs, bool crossed) {
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

example::Tally resample(const std::vector<double>& rounds, double effect, int trials) {
  example::Noise noise(21);
  example::Tally tally;
  for (int trial = 0; trial < trials; ++trial)
    tally.add(example::decide(rule, [&] { return effect + rounds[noise.below(rounds.size())]; }).verdict);
  return tally;
}

/// False claims and detections of all workloads and numbers of pairs on one recording.
void check_all(const std::string& name, int trials) {
  for (const auto& [workload, launches] : recorded(name))
    for (const std::size_t pairs : {1u, 2u, 4u}) {
      INFO(name << " " << workload << ", " << pairs << " pairs a round");
      REQUIRE(launches.size() == 280);
      const auto values = rounds(launches, pairs, true);
      CHECK(resample(values, 0, trials).claims() <=
            trials / 1000);  // seen: 2 of 4,000 for one noisy workload
      const auto slower = resample(values, std::log(1.05), trials);
      CHECK(slower.helps == 0);
      if (robust_sd(values) <= 0.02) CHECK(slower.hurts >= trials * 99 / 100);
    }
}

}  // namespace

TEST_CASE(
    "identical code is claimed to differ in at most 0.1 % on the recorded quiet noise, and 5 % is found",
    "[replay]") {
  check_all("quiet", 1000);
}

TEST_CASE(
    "identical code is claimed to differ in at most 0.1 % on the recorded noisy noise, and 5 % is found",
    "[replay]") {
  check_all("noisy", 1000);
}

TEST_CASE("4,000 experiments on each recorded workload make at most 0.1 % false claims", "[replay][wide]") {
  check_all("quiet", 4000);
  check_all("noisy", 4000);
}

TEST_CASE("without crossing, identical copies of 64 KiB seem 3 % apart and are claimed to differ",
          "[replay]") {
  for (const auto* const name : {"quiet", "noisy"}) {
    INFO(name);
    const auto launches = recorded(name).at("memcpy64K");
    const auto uncrossed = rounds(launches, 4, false);
    const auto crossed = rounds(launches, 4, true);
    CHECK(median(uncrossed) < -0.028);
    CHECK(median(uncrossed) > -0.038);
    CHECK(resample(uncrossed, 0, 1000).claims() > 900);
    CHECK(std::abs(median(crossed)) < 0.002);
    CHECK(resample(crossed, 0, 1000).claims() == 0);
  }
}
