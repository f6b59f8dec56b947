// What was put into the program when it was built: cmake/embed_steps.cmake writes the definitions.
#pragma once

#include "harness/catalogue/program.hpp"

namespace app {

/// The worker's catalogue, as JSON.
std::string_view embedded_catalogue();

/// The sources of all steps, sorted by step; a step's own file is its first.
std::span<const harness::catalogue::StepSource> embedded_sources();

}  // namespace app
