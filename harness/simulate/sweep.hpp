// The same rows over a range of one value: where does a tip stop paying?
#pragma once

#include "harness/simulate/gpu.hpp"
#include "harness/simulate/recording.hpp"
#include "harness/support/terminal.hpp"

namespace harness::simulate {

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
