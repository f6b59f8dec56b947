// What follows from the prices of exchanges between ranks, and of a way to move bytes by its times at
// several sizes.
#pragma once

#include "prices/balance.hpp"
#include "prices/price_list.hpp"

namespace prices {

/// The all-reduce of each number of ranks that has rows, with the size below which gradients should be
/// bundled; and how it compares with what the kernel takes to carry the same bytes.
std::vector<Balance> exchanging(const PriceList& list);

/// Start and rate of the rows named `rows` and a size, and for which sizes batching pays. Times that lie on
/// no line (each cache has a rate of its own) have neither a start nor one rate; the row shows both ends.
Balance moving(const PriceList& list, const std::string& about, const std::string& rows);

}  // namespace prices
