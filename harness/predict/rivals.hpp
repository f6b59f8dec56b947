// Other rules over the same rows: the two that a prediction is made by, and two that know nothing of the
// work, which it has to beat: "no effect", and "as it was on another machine". Their intervals are those that
// would have held for 90 % of the rows of all other steps.
#pragma once

#include "harness/predict/scorecard.hpp"

#include <vector>

namespace harness::predict {

/// Each rule with its score and that of the predictions of the same rows; without a rule that covers no row.
std::vector<Rival> rivals_of(const Scorecard& card);

}  // namespace harness::predict
