// The published columns, from the traces of a profiled row.
#pragma once

#include "harness/record/profile.hpp"
#include "harness/setup.hpp"

#include <vector>

namespace harness {

/// Self CPU, Self CUDA, aten::copy_ and Memcpy HtoD of one run of each form, from PyTorch's op table of its
/// traces. Columns of the device are empty where the traces hold none of its work. Throws BadInput where a
/// trace cannot be read.
std::vector<ProfileFigure> profile_figures(const std::vector<FormProfile>& forms);

}  // namespace harness
