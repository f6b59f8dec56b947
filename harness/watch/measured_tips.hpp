// `watch --measure`: the tips that the findings name, measured once the program has ended.
#pragma once

#include "harness/catalogue/program.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace harness::watch {

/// Runs `tuneproof run` on the steps, on the host alone or on any device; its table goes to standard error,
/// for standard output is the program's. Returns the results file, in that folder. Throws BadInput where it
/// left none.
std::filesystem::path measure_tips(const catalogue::Program& program, const std::vector<std::string>& steps,
                                   bool on_device, const std::filesystem::path& folder);

}  // namespace harness::watch
