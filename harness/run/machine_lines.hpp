// What prices say of the machine that a run was measured on: below the table, on the page and in Markdown.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/results/results.hpp"

namespace harness::run {

/// "Machine, by prices.json: memory of the host 45.1 GB/s: good (...)." and the like, of those of the files
/// that are of the run's machine and software; of prices.json, where it lies here, if no file is given.
/// Without any, how to measure that.
std::vector<std::string> machine_lines(const results::Results& results, const catalogue::Program& program,
                                       const std::vector<std::string>& files = {});

}  // namespace harness::run
