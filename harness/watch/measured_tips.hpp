// `watch --measure`: the tips that the findings name, measured once the program has ended.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/trace/diagnosis.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace harness::watch {

/// Runs `tuneproof run` for that time, of each step on the row that resembles the diagnosed program most; its
/// table goes to standard error, for standard output is the program's. Returns the results file, in that
/// folder. Throws BadInput where it left none.
std::filesystem::path measure_tips(const catalogue::Program& program, const std::vector<std::string>& steps,
                                   const trace::Diagnosis& diagnosis, const std::string& within,
                                   const std::filesystem::path& folder);

}  // namespace harness::watch
