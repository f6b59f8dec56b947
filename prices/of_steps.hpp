// Which rows of the price list bear on which steps: `explain` shows them beside a lesson.
#pragma once

#include "harness/core/step_prices.hpp"

#include <span>

namespace prices {

/// By names alone: the list knows no step. A test holds the names against the steps and the list.
std::span<const harness::StepPrices> step_prices();

}  // namespace prices
