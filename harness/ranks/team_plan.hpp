// How many processes are to run a row together.
#pragma once

#include "harness/core/setup.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace harness::ranks {

/// How many ranks, and how long one may let the others wait.
struct TeamPlan {
  int size = 2;
  std::chrono::milliseconds patience{60'000};
  std::string executable = "/proc/self/exe";  // its main() gives way to rank_main()
  std::string meeting = {};  // of a job, a run::MeetingPlace as JSON: its processes start the other ranks
};

/// The option in which a worker finds what a row may take at most, in seconds.
constexpr std::string_view row_timeout = "row_timeout";

/// A third of what a row may take, so that its own sentence comes before the supervisor's, which knows no
/// rank.
std::chrono::milliseconds patience_for(double row_seconds);

/// As `--ranks` and `--timeout` say. In a job its processes are the ranks. Throws BadInput where the first is
/// no number of ranks.
TeamPlan plan_of(const Setup& setup);

}  // namespace harness::ranks
