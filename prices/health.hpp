// Whether the machine is good: what it reaches beside the machines of results/, in a word; shares of the
// GPU's data sheet; copies that get slower with size; and products of each type.
#pragma once

#include "harness/machine/device_model.hpp"

#include "prices/balance.hpp"
#include "prices/price_list.hpp"

namespace prices {

// What the lines are called that tell how good a machine is.
inline constexpr std::string_view other_machines_line = "beside the machines of results/";
inline constexpr std::string_view products_line = "products by type";
inline constexpr std::string_view cliffs_line = "copies that get slower with size";

/// What pinned copies, the device's memory and its products reach of the data sheet.
Balance of_data_sheet(const PriceList& list, const std::optional<harness::DeviceModel>& sheet);

/// Copies whose rate falls by a quarter or more from some size on and does not come back.
Balance cliffs(std::span<const Price> prices);

/// other_machines.tsv, which scripts/other_machines.py writes.
std::string_view other_machines_tsv();

/// A folder of results/ and its rows in that table.
struct OtherMachine {
  std::string name;
  std::string gpu;  // as its driver names it; empty without one
  std::vector<Price> prices;
};
std::vector<OtherMachine> other_machines(std::string_view table);

/// Each subject that was measured here and there, and a word on it: "memory of the host 40.1 GB/s: usual
/// (epyc: 45.5 GB/s)". CPUs are held against those with as many threads, and shares of a GPU's data sheet
/// against others' shares; where there is neither, the line says so.
Balance beside(std::span<const Price> prices, const std::vector<OtherMachine>& others,
               const std::optional<harness::DeviceModel>& sheet = std::nullopt);

/// "products on the CPU: FP32 218 GFLOP/s, FP16 2.59 GFLOP/s, BF16 738 GFLOP/s: FP16 is 84.2 times slower
/// than FP32: use BF16".
Balance products_by_type(const PriceList& list);

}  // namespace prices
