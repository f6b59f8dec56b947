// Which files a scorecard is made from.
#pragma once

#include "harness/predict/scorecard.hpp"
#include "harness/results/stand_in_option.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace harness::predict {

/// Adds results files to a card. Throws BadInput where one cannot be read.
class ScorecardReader {
 public:
  ScorecardReader(Scorecard& card, results::StandIn stand_in) : card_(card), stand_in_(stand_in) {}

  /// A file that is named must be a results file; those of a folder may be something else.
  void read(const std::filesystem::path& path);
  /// Whether this file is among the results that were read.
  bool took(const std::filesystem::path& path) const;
  int files() const { return static_cast<int>(sessions_.size()); }

 private:
  void take(const std::filesystem::path& file, bool named);

  Scorecard& card_;
  results::StandIn stand_in_;
  std::set<std::string> sessions_;
  std::vector<std::filesystem::path> taken_;
};

}  // namespace harness::predict
