// The misses of earlier sessions, kept on this machine beside its prices.
#pragma once

#include "harness/predict/misses.hpp"

#include <functional>
#include <string>
#include <vector>

namespace harness::predict {

/// Those of earlier sessions here, then the shipped ones. `say` is told of a file that cannot be read, which
/// is left out.
std::vector<Miss> earlier_misses(const std::function<void(const std::string& line)>& say);

/// Keeps those of a session; those of a stand-in's not. `say` is told where they cannot be kept.
void keep_misses(const results::Results& results, const std::function<void(const std::string& line)>& say);

}  // namespace harness::predict
