// How long each rank took for its runs.
#pragma once

#include "harness/core/step.hpp"
#include "harness/ranks/message.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace harness::ranks {

/// Of the runs since the last clear(), by form and rank.
class RankTimes {
 public:
  /// `names`: of the ranks, "rank 0" first.
  explicit RankTimes(std::vector<std::string> names);
  /// One run of the form; a reply for each rank.
  void add(Form form, std::span<const Reply> replies);
  void clear();
  /// "rank 1, time of a run" and "rank 1, CPU time of a run", medians; none before both forms have run.
  std::vector<Figure> figures() const;

 private:
  struct Times {
    std::vector<double> seconds, cpu_seconds;
  };
  std::vector<std::string> names_;
  std::array<std::vector<Times>, 2> forms_;
};

}  // namespace harness::ranks
