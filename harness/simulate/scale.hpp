// A workload at a size that was not recorded: each count follows the scale as it did between recordings. The
// same rows over a range of one value: where does a tip stop paying?
#pragma once

#include "harness/simulate/gpu.hpp"
#include "harness/simulate/recording.hpp"
#include "harness/support/terminal.hpp"

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

struct Sweep {
  std::string name;
  std::vector<double> values;
};

/// "memory_rate=300..8000": both ends and six values between, each the same factor above the one before; of
/// what is counted the whole numbers next to them. Throws BadInput for anything else, and where a GPU like
/// this one cannot have such a value.
Sweep parse_sweep(std::string_view text, const Gpu& gpu);

/// A line for each row and GPU, a column for each value.
std::string sweep_table(const Recording& recording, const std::vector<Gpu>& gpus, const Sweep& sweep,
                        const Style& style);

}  // namespace harness::simulate
