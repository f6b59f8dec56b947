// The measured rows and their names; what times of several sizes tell: the line t = a + n / b, and where
// batching pays; what ranks do together, nccl-tests' two bandwidths of it, and what follows from the prices
// of exchanges between ranks.
#pragma once

#include "prices/balance.hpp"

namespace prices {

/// The time of one size.
struct Timed {
  double bytes = 0;
  double seconds = 0;

  double rate() const { return bytes / seconds; }
};

/// What starting costs, and what each byte adds.
struct Line {
  double start = 0;     // seconds
  double per_byte = 0;  // seconds
  double worst = 0;     // the largest distance of a time from the line, as a share of that time

  double at(double bytes) const { return start + per_byte * bytes; }
  /// The size whose bytes cost as much as starting; 0 where bytes cost nothing.
  double break_even() const { return per_byte > 0 ? start / per_byte : 0; }
};

/// As far off its times may be, as a share of them, for a line to tell something.
inline constexpr double most_off = 0.25;

/// The line with the smallest sum of squared relative distances: sizes reach from 1 KiB to 1 GiB, and plain
/// least squares would see the largest only. Neither part is ever below 0. Nothing where there are not three
/// different sizes.
std::optional<Line> fit(std::span<const Timed> times);

/// The highest rate from each place on.
std::vector<double> best_rates(std::span<const Timed> times);

/// The size up to which pieces take more than twice as long by themselves as batched into some larger size.
/// By the times alone, which come in order of size: no line need hold. Nothing where that is no size.
std::optional<double> batching_pays(std::span<const Timed> times);

/// The prices of several sizes, and what stands before the size in their names: "prices/memcpy/bytes:".
struct Sizes {
  std::string_view rows;
  std::vector<Price> prices;
};

/// All that have a size, in the list's order.
std::vector<Sizes> by_size(std::span<const Price> prices);

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

/// The all-reduce of each number of ranks that has rows, with the size below which gradients should be
/// bundled; and how it compares with what the kernel takes to carry the same bytes.
std::vector<Balance> exchanging(const PriceList& list);

/// Start and rate of the rows named `rows` and a size, and for which sizes batching pays. Times that lie on
/// no line (each cache has a rate of its own) have neither a start nor one rate; the row shows both ends.
Balance moving(const PriceList& list, const std::string& about, const std::string& rows);

enum class Collective : int { all_reduce, broadcast, all_gather, reduce_scatter, barrier };

/// "all_reduce".
std::string_view to_string(Collective what);

/// The algorithm bandwidth is S / t. S is what is reduced or sent to all; of an all-gather what every rank
/// ends up with, of a reduce-scatter what every rank brings along. Times this factor it is the bus bandwidth:
/// what each rank has to send at least, so that it can be held against a link's rate however many ranks there
/// are. 0 of a barrier, which moves nothing. Source: nccl-tests, "Performance reported by NCCL tests".
double bus_factor(Collective what, int ranks);

constexpr std::size_t kib = std::size_t{1} << 10;
constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t gib = std::size_t{1} << 30;

/// "1KiB", "512MiB", "1GiB"; "100B" where no unit divides it. harness::parse_size is the inverse.
std::string bytes_text(std::size_t bytes);

/// Google Benchmark adds how a row is timed to its name: without that.
std::string plain_name(std::string_view name);

}  // namespace prices
