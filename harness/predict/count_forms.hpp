// Counts the work of a row's forms, from what its worker has recorded.
#pragma once

#include "harness/predict/predict.hpp"
#include "harness/results/profile.hpp"

#include <span>

namespace harness::predict {

/// One trace of each form, and what the kernel counted beside it. Throws BadInput where a trace cannot be
/// read.
Before count_forms(std::span<const results::FormProfile> forms);

}  // namespace harness::predict
