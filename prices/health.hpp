// Whether the machine reaches what it should: shares of the GPU's data sheet, sizes from which something
// pays, and what the machines of results/ reached.
#pragma once

#include "harness/machine/device_model.hpp"

#include "prices/balance.hpp"
#include "prices/price_list.hpp"

namespace prices {

// What the lines are called that hold prices against figures from elsewhere.
inline constexpr std::string_view data_sheet_line = "device: share of its data sheet";
inline constexpr std::string_view other_machines_line = "beside the machines of results/";

/// What pinned copies, the device's memory and its products reach of the data sheet.
Balance of_data_sheet(const PriceList& list, const std::optional<harness::DeviceModel>& sheet);

/// Copies whose rate falls by a quarter or more from some size on and does not come back.
Balance cliffs(std::span<const Price> prices);

/// other_machines.tsv, which scripts/other_machines.py writes.
std::string_view other_machines_tsv();

/// A folder of results/ and its rows in that table.
struct OtherMachine {
  std::string name;
  std::vector<Price> prices;
};
std::vector<OtherMachine> other_machines(std::string_view table);

/// Each subject that was measured here and there: "memory of the host 40.1 GB/s (the CPU beside the
/// H200: 81.8 GB/s)", and where a machine with as many threads reached half as much again: what to look at.
Balance beside(std::span<const Price> prices, const std::vector<OtherMachine>& others);

}  // namespace prices
