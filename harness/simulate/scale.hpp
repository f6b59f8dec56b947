// A workload at a size that was not recorded: each count follows the scale as it did between recordings.
#pragma once

#include "harness/simulate/recording.hpp"

namespace harness::simulate {

struct Scaled {
  double scale = 1;
  std::string text;  // as the user wrote it: "1/32"
  Recording recording;
};

/// The recordings of a workload at three scales or more. Each number of a call is put on the line through the
/// first two, a + b scale; where that misses the others, on a + b scale^2. A row's note says how far they are
/// off at most. A row whose calls differ between the scales, or whose numbers follow neither, has a reason
/// instead of forms. Throws BadInput for fewer than three.
Recording at_scale(const std::vector<Scaled>& recordings, double scale);

/// "1/32,1/16,1/8" as numbers; their recordings are still empty. Throws BadInput.
std::vector<Scaled> parse_scales(const std::string& text);

}  // namespace harness::simulate
