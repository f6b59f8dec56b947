// Rounds that are allotted (docs/measuring.md 5) against as many for every row: error rates, rounds and
// undecided rows in the same time, on recorded noise with planted effects.
// The table: build/tests_simulation "[table]"
#include "harness/core/allot.hpp"

#include "tests/harness/core/looks_of.hpp"
#include "tests/harness/core/noise.hpp"
#include "tests/harness/core/recording.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

using namespace harness;
using example::Noise;

namespace {

constexpr double delta = 0.03;
const Rule even{.looks = {even_rounds}, .delta = delta};
const Rule without_early{.looks = allotted_looks, .delta = delta};
const Rule allotted{.looks = allotted_looks, .delta = delta, .early = early_looks};

// As in the quick suite: a row's round takes about half a second, and a process as long to start.
constexpr double row_seconds = 0.5;
constexpr double start_seconds = 0.5;

/// What a row draws its rounds from, and what was planted: ln of a ratio.
struct Planted {
  std::function<double(Noise&)> draw;
  double effect = 0;
};

struct Taken {
  Verdict verdict = Verdict::inconclusive;
  std::size_t rounds = 0;
};
struct Outcome {
  std::vector<Taken> rows;
  double seconds = 0;
};

/// One session: the rows in turns, from look to look, as run::Rounds takes them.
class Session {
 public:
  Session(const std::vector<Planted>& rows, const Rule& rule, Noise& noise)
      : rows_(rows), rule_(rule), noise_(noise), units_(rows.size()), verdicts_(rows.size()) {}

  /// Within the time of so many rounds of all rows; 0: all open rows up to the last look.
  Outcome run(double rounds) {
    std::vector<std::size_t> going;
    for (std::size_t i = 0; i < rows_.size(); ++i) going.push_back(i);
    const auto round = start_seconds + row_seconds * static_cast<double>(rows_.size());
    while (!going.empty()) {
      advance(going);
      going = rounds > 0 ? chosen(rounds * round - seconds_) : open();
    }
    Outcome outcome{.rows = {}, .seconds = seconds_};
    for (std::size_t i = 0; i < rows_.size(); ++i) outcome.rows.push_back({verdicts_[i], units_[i].size()});
    return outcome;
  }

 private:
  std::size_t next_look(std::size_t i) const {
    for (const auto look : example::looks_of(rule_))
      if (static_cast<std::size_t>(look) > units_[i].size()) return static_cast<std::size_t>(look);
    return 0;
  }
  /// Those that have the fewest rounds go on to their next look, and are judged there.
  void advance(std::vector<std::size_t> going) {
    const auto least =
        units_[*std::ranges::min_element(going, {}, [&](std::size_t i) { return units_[i].size(); })].size();
    std::erase_if(going, [&](std::size_t i) { return units_[i].size() > least; });
    const auto until = next_look(going.front());
    for (auto n = least; n < until; ++n) {
      seconds_ += start_seconds + row_seconds * static_cast<double>(going.size());
      for (const auto i : going) units_[i].push_back(rows_[i].effect + rows_[i].draw(noise_));
    }
    for (const auto i : going) verdicts_[i] = example::verdict_at_look(units_[i], rule_);
  }
  std::vector<std::size_t> open() const {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (verdicts_[i] == Verdict::inconclusive && next_look(i) > 0) open.push_back(i);
    return open;
  }
  std::vector<std::size_t> chosen(double seconds) const {
    const auto places = open();
    std::vector<OpenRow> rows;
    for (const auto i : places) rows.push_back({units_[i], rule_.delta, row_seconds});
    std::vector<std::size_t> chosen;
    for (const auto at : allot(rows, rule_, seconds, start_seconds)) chosen.push_back(places[at]);
    return chosen;
  }

  const std::vector<Planted>& rows_;
  const Rule& rule_;
  Noise& noise_;
  std::vector<std::vector<double>> units_;
  std::vector<Verdict> verdicts_;
  double seconds_ = 0;
};

/// Of the rows with one effect.
struct Line {
  int rows = 0, wrong = 0, undecided = 0;
  double rounds = 0;
};

/// Verdicts that contradict what was planted. An effect of exactly delta is neither.
bool is_wrong(Verdict verdict, double effect) {
  const auto band = std::log1p(delta);
  const bool edge = std::abs(std::abs(effect) - band) < 1e-12;
  if (verdict == Verdict::helps) return effect > -band || edge;
  if (verdict == Verdict::hurts) return effect < band || edge;
  return verdict == Verdict::no_effect && std::abs(effect) >= band - 1e-12;
}

struct Sums {
  std::vector<Line> lines;  // one an effect
  double seconds = 0;
  int sessions = 0;
  /// All rows, or only those that a rule can tell at all: no effect of exactly delta.
  Line all(bool edges = true) const {
    Line sum;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto& line = lines[i];
      if (!edges && (i == 2 || i == 3)) continue;
      sum.rows += line.rows;
      sum.wrong += line.wrong;
      sum.undecided += line.undecided;
      sum.rounds += line.rounds;
    }
    return sum;
  }
};

const std::vector<double> effects = {0,
                                     std::log(1.01),
                                     std::log1p(delta),
                                     -std::log1p(delta),
                                     std::log(1.05),
                                     -std::log(1.05),
                                     std::log(0.9),
                                     std::log(0.7)};

/// Sessions in which each workload of a recording has each effect once.
Sums simulate(const std::string& recording, const Rule& rule, double allotting, int sessions) {
  std::vector<std::vector<double>> noises;
  for (const auto& [workload, launches] : example::recorded(recording))
    noises.push_back(example::rounds(launches, 1, true));
  std::vector<Planted> rows;
  for (const auto effect : effects)
    for (const auto& values : noises)
      rows.push_back({[&values](Noise& noise) { return values[noise.below(values.size())]; }, effect});
  Noise noise(31);
  Sums sums{.lines = std::vector<Line>(effects.size()), .sessions = sessions};
  for (int s = 0; s < sessions; ++s) {
    const auto outcome = Session(rows, rule, noise).run(allotting);
    sums.seconds += outcome.seconds;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto& line = sums.lines[i / noises.size()];
      ++line.rows;
      line.wrong += is_wrong(outcome.rows[i].verdict, rows[i].effect) ? 1 : 0;
      line.undecided += outcome.rows[i].verdict == Verdict::inconclusive ? 1 : 0;
      line.rounds += static_cast<double>(outcome.rows[i].rounds);
    }
  }
  return sums;
}

void print(const char* recording, const char* rule, const Sums& sums) {
  const auto all = sums.all();
  const auto share = [](const Line& line, int count) { return 100.0 * count / line.rows; };
  const auto tellable = sums.all(false);
  std::printf("| %s | %s | %.2f %% | %.2f %% | %.1f %% | %.1f %% | %.1f %% | %.1f | %.0f s |\n", recording,
              rule, share(sums.lines[0], sums.lines[0].wrong),
              100.0 * (sums.lines[2].wrong + sums.lines[3].wrong) / (sums.lines[2].rows + sums.lines[3].rows),
              share(tellable, tellable.undecided), share(sums.lines[4], sums.lines[4].undecided),
              share(sums.lines[6], sums.lines[6].undecided), all.rounds / all.rows,
              sums.seconds / sums.sessions);
}

/// Normal noise of that standard deviation.
std::function<double(Noise&)> normal(double sd) {
  return [sd](Noise& noise) { return sd * noise.normal(); };
}

}  // namespace

TEST_CASE(
    "in three quarters of the time, allotted rounds leave fewer rows undecided than even ones, on recorded "
    "noise",
    "[allot]") {
  for (const auto* const name : {"quiet", "noisy"}) {
    INFO(name);
    const auto before = simulate(name, even, 0, 40);
    const auto after = simulate(name, allotted, allotted_rounds, 40);
    CHECK(after.seconds <= before.seconds * 3 / 4);
    CHECK(after.all(false).undecided < before.all(false).undecided * 9 / 10);
    CHECK(after.lines[0].wrong <= after.lines[0].rows / 100);
  }
}

TEST_CASE(
    "an effect of exactly delta is claimed in at most 0.5 % and three standard errors where rounds are "
    "allotted",
    "[allot]") {
  for (const auto sd : {0.005, 0.01, 0.02, 0.04, 0.1}) {
    INFO(sd);
    std::vector<Planted> rows(20, {normal(sd), std::log1p(delta)});
    Noise noise(32);
    int claims = 0, equal = 0;
    constexpr int sessions = 200;
    for (int s = 0; s < sessions; ++s)
      for (const auto& row : Session(rows, allotted, noise).run(allotted_rounds).rows) {
        claims += row.verdict == Verdict::hurts ? 1 : 0;
        equal += row.verdict == Verdict::no_effect ? 1 : 0;
      }
    const auto trials = static_cast<double>(sessions) * 20;
    const auto most = trials * (0.005 + 3 * std::sqrt(0.005 * 0.995 / trials));
    CHECK(claims <= most);
    CHECK(equal <= most);
  }
}

TEST_CASE("the table of docs/measuring.md: even rounds and allotted ones on recorded noise", "[.table]") {
  std::puts(
      "| noise | rule | false claims | wrong at delta | cannot tell | 5 % untold | 10 % untold | rounds a "
      "row | time |\n"
      "|---|---|---:|---:|---:|---:|---:|---:|---:|");
  const Rule three{.looks = {14, 28, 56}, .delta = delta};
  for (const auto* const name : {"quiet", "noisy"}) {
    print(name, "14 rounds of each row", simulate(name, even, 0, 500));
    print(name, "allotted, no early looks", simulate(name, without_early, even_rounds, 500));
    print(name, "allotted", simulate(name, allotted, allotted_rounds, 500));
    print(name, "--looks 3", simulate(name, three, 0, 500));
  }
}
