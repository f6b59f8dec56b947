// Whose host drives the simulated GPU: what dispatch, memory and staging cost there.
#pragma once

#include "harness/simulate/gpu.hpp"

#include <string>
#include <vector>

namespace harness::simulate {

/// The names of the classes of hosts in costs.json.
std::vector<std::string> host_names();

/// Gives the GPU a host: one of the classes, or a machine by the file that `tuneproof prices
/// --benchmark_out=FILE` wrote there. Throws BadInput where there is neither, or the file lacks a row.
void set_host(Gpu& gpu, const std::string& text);

}  // namespace harness::simulate
