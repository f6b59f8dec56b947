// Which rows of the price list bear on which steps. Plain data.
#pragma once

#include <string_view>

namespace harness::inline core {

/// `steps` is how the ids begin; of several entries that fit, the longest holds. `rows` are names of prices
/// without "prices/", separated by blanks; a '*' at the end stands for any rest. Empty: no price bears on
/// them.
struct StepPrices {
  std::string_view steps;
  std::string_view rows;
};

}  // namespace harness::inline core
