// What follows from the prices of exchanges between ranks.
#pragma once

#include "prices/balance.hpp"
#include "prices/price_list.hpp"

#include <vector>

namespace prices {

/// The all-reduce of each number of ranks that has rows, with the size below which gradients should be
/// bundled; and how it compares with what the kernel takes to carry the same bytes.
std::vector<Balance> exchanging(const PriceList& list);

}  // namespace prices
