// A workload at a size that was not recorded: each count follows the scale as it did between recordings.
#pragma once

#include "harness/simulate/recording.hpp"

#include <string>
#include <vector>

namespace harness::simulate {

struct Scaled {
  double scale = 1;
  std::string text;  // as the user wrote it: "1/32"
  Recording recording;
};

/// What `at_scale` made of the recordings.
struct AtScale {
  Recording recording;
  std::vector<std::string> left_out;  // "row: why"
  int calls = 0;                      // that were fitted
  double worst = 0;                   // how far the check is off where it is farthest: 0.01 is 1 %
};

/// The recordings of a workload at three scales or more. Each number of a call is put on the line through the
/// first two, a + b scale; where that misses the others, on a + b scale^2. Rows whose calls differ between
/// the scales, or whose numbers follow neither, are left out with the reason. Throws BadInput for fewer than
/// three.
AtScale at_scale(const std::vector<Scaled>& recordings, double scale);

/// "1/32,1/16,1/8" as numbers; their recordings are still empty. Throws BadInput.
std::vector<Scaled> parse_scales(const std::string& text);

}  // namespace harness::simulate
