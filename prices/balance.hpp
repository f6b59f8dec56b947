// What follows from the prices: FLOP per byte, and the sizes from which something pays. Pure arithmetic over
// the rows that were measured; a line that cannot be told says which rows it lacks.
#pragma once

#include "harness/machine/device_model.hpp"
#include "harness/support/terminal.hpp"

#include <span>

namespace prices {

/// One measured row. Rates are 0 where the row has none.
struct Price {
  std::string name;             // without what Google Benchmark adds: "prices/memcpy/bytes:1KiB"
  double seconds = 0;           // of one iteration
  double bytes_per_second = 0;  // as the row counts them
  double flop_per_second = 0;   // of matrix products
};

/// One line of the balance. `said` is empty where it cannot be told.
struct Balance {
  std::string about;
  std::vector<std::string> said;
  std::string from;  // the rows that it rests on, as globs; of a line that cannot be told those that it lacks
  bool few = false;  // some of these rows were measured, but too few
  bool operator==(const Balance&) const = default;
};

/// All lines, those that cannot be told among them. `sheet`: the data sheet of the device. `share`: what
/// other programs took of the CPUs, as a price file has it; where that is large nothing follows.
std::vector<Balance> balance_of(std::span<const Price> prices,
                                const std::optional<harness::DeviceModel>& sheet = std::nullopt,
                                std::string_view share = {});

/// As a person reads it; `quick`: rows were left out by --quick.
std::string balance_text(std::span<const Balance> lines, const harness::Style& style, bool quick = false);

/// "Other programs took 62 % of the CPUs meanwhile: do not trust these prices. ..."; empty where `share`, as
/// a price file has it, is not that large or not known.
std::string busy_sentence(std::string_view share);
/// What is not to be trusted where they took as much only when the first prices were measured.
std::string busy_at_first(double first, double all);
/// That below the balance; empty where it is.
std::string warning_text(const std::string& busy, const harness::Style& style);
/// Where the prices were kept, if they were, and what to do next.
std::string next_text(const std::string& file, bool busy, const harness::Style& style);

}  // namespace prices
