// The points of a step in words, for `explain`.
#pragma once

#include "harness/catalogue/catalogue.hpp"

namespace harness::catalogue {

/// Each point once; behind it "*" where the quick suite leaves it out, "**" where each suite does, and
/// "(CUDA)" where a step of both kinds of devices has no row of it on the CPU. "one" where there are no axes.
std::string points_text(const Step& step);

}  // namespace harness::catalogue
