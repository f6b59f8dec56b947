// The scorecard of the predictions, for a person and for a program.
#pragma once

#include "harness/predict/scorecard.hpp"
#include "harness/support/field.hpp"
#include "harness/support/terminal.hpp"

#include <string>

namespace harness::predict {

/// Scores, whether to trust the model and why, every miss. Ends with a newline.
std::string scorecard_text(const Scorecard& card, const Style& style);
Json scorecard_to_json(const Scorecard& card);

/// "Do not trust the predictions here: ...": one paragraph, with the reason.
std::string trust_text(const Scorecard& card);

}  // namespace harness::predict
