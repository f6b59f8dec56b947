// A way to move bytes, told by its times at several sizes.
#pragma once

#include "prices/balance.hpp"
#include "prices/price_list.hpp"

#include <string>

namespace prices {

/// Start and rate of the rows named `rows` and a size, and for which sizes batching pays. Times that lie on
/// no line (each cache has a rate of its own) have neither a start nor one rate; the row shows both ends.
Balance moving(const PriceList& list, const std::string& about, const std::string& rows);

}  // namespace prices
