// What the machines of results/ reached, beside what this one reaches.
#pragma once

#include "prices/balance.hpp"
#include "prices/price_list.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace prices {

/// other_machines.tsv, which scripts/other_machines.py writes.
std::string_view other_machines_tsv();

/// A folder of results/ and its rows in that table.
struct OtherMachine {
  std::string name;
  std::vector<Price> prices;
};
std::vector<OtherMachine> other_machines(std::string_view table);

/// Each subject that was measured here and there: "memory, host 40.1 GB/s (h200: 81.8 GB/s)".
Balance beside(const PriceList& list, const std::vector<OtherMachine>& others);

}  // namespace prices
