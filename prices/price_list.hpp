// The measured rows, looked up by their names.
#pragma once

#include "prices/balance.hpp"
#include "prices/fit.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace prices {

class PriceList {
 public:
  explicit PriceList(std::span<const Price> prices) : prices_(prices) {}

  /// The time of the row with that name.
  std::optional<double> seconds(std::string_view name) const;
  /// The rows named `prefix` and a size: "prices/memcpy/bytes:" and "1KiB". Ordered by size; without those
  /// that were too short for their clock.
  std::vector<Timed> times(std::string_view prefix) const;
  /// The rate at the largest size ("bytes:", at the name's end) below that prefix; of several rows of it the
  /// highest. 0 where there is none: caches make small sizes look faster than memory is.
  double rate_of_largest(std::string_view prefix) const;
  /// The highest rate below that prefix of sizes up to 1 MiB, which a cache holds; 0 where there is none.
  double rate_in_cache(std::string_view prefix) const;
  /// The highest FLOP/s below that prefix; 0 where there is none.
  double best_flop(std::string_view prefix) const;
  /// The time of one node in the row with the most of them, named `prefix` and their number.
  std::optional<double> per_node(std::string_view prefix) const;

  /// `from` is the smallest size from which `one` is cheaper than `other` at every size that both have.
  struct Cheaper {
    bool compared = false;  // they have a size in common
    std::optional<double> from;
  };
  Cheaper first_cheaper(std::string_view one, std::string_view other) const;

 private:
  std::span<const Price> prices_;
};

}  // namespace prices
