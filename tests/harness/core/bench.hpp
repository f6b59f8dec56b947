// Two sets whose forms take fixed times on a fake clock: what a Measurer makes of them.
#pragma once

#include "tests/harness/core/fake_clock.hpp"

#include "harness/core/measure.hpp"

#include <array>
#include <string>
#include <vector>

namespace harness::example {

/// They note what happens in the diary.
struct Bench {
  Diary diary;
  FakeClock clock{&diary};
  double naive = 0.030;
  double optimized = 0.015;
  double second_set = 1;  // its runs take so much longer: an accident of addresses
  bool agree = true;
  RoundPlan plan{.seed = 42};

  Trial set(int index) {
    const auto factor = index == 0 ? 1 : second_set;
    const auto form = [this, factor](const char* name, const double& seconds) {
      return [this, factor, name, &seconds] {
        diary.emplace_back(name);
        clock.pass(seconds * factor);
      };
    };
    return {.naive = form("naive", naive),
            .optimized = form("optimized", optimized),
            .clear = [this] { diary.emplace_back("clear"); },
            .answer = [this](Form which) -> Answer {
              return std::vector<float>{agree || which == Form::naive ? 1.0F : 2.0F};
            }};
  }
  std::array<Trial, 2> sets() { return {set(0), set(1)}; }
  Measurement rehearse(const std::array<Trial, 2>& both) { return Measurer(clock, both).rehearse({}); }
  Measurement rehearse() { return rehearse(sets()); }
  Measurement run(const std::array<Trial, 2>& both) { return Measurer(clock, both).take_round(plan); }
  Measurement run() { return run(sets()); }
};

}  // namespace harness::example
