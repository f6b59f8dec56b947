// The published columns, from the traces of a profiled row.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/results/profile.hpp"

#include <vector>

namespace harness::profile {

/// Self CPU, Self CUDA, aten::copy_ and Memcpy HtoD of one run of each form, from PyTorch's op table of its
/// traces. Columns of the device are empty where the traces hold none of its work. Throws BadInput where a
/// trace cannot be read.
std::vector<results::ProfileFigure> profile_figures(const std::vector<results::FormProfile>& forms);

}  // namespace harness::profile
