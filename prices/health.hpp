// Whether the machine reaches what it should: shares of the GPU's data sheet, and sizes from which copies are
// slower.
#pragma once

#include "harness/machine/device_model.hpp"

#include "prices/balance.hpp"
#include "prices/price_list.hpp"

#include <optional>
#include <span>

namespace prices {

/// What pinned copies, the device's memory and its products reach of the data sheet.
Balance of_data_sheet(const PriceList& list, const std::optional<harness::DeviceModel>& sheet);

/// Copies whose rate falls by a quarter or more from some size on and does not come back.
Balance cliffs(std::span<const Price> prices);

}  // namespace prices
