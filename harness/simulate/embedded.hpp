// Files of this folder that are part of the program.
#pragma once

#include <string_view>

namespace harness::simulate {

/// costs.json: what calls cost, with sources.
std::string_view costs_json();
/// published_figures.json: published figures with named hardware, and the work behind each.
std::string_view published_figures_json();

}  // namespace harness::simulate
