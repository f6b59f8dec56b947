// The predicted saving and its interval, from the work that a tip removes and adds: docs/predictions.md has
// it in words.
#pragma once

#include "harness/results/row.hpp"

namespace harness::predict {

/// Works out `saving` and `interval` from `removes`, `explained` and `below`; these are above 0.
void bracket(results::Prediction& prediction);

}  // namespace harness::predict
