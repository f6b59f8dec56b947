// How long a price list takes: before it is measured, and while it is, where other programs slow it down.
#pragma once

#include <optional>
#include <string>

namespace prices {

class Pace {
 public:
  /// `seconds_of_a_row` is a row's on a quiet machine.
  Pace(int rows, double seconds_of_a_row);

  /// "41 prices, about 12 s". `other`: the share of the CPUs that other programs take now; where that is
  /// much, it is said that the time is one of a quiet machine.
  std::string forecast(std::optional<double> other) const;
  /// A row has ended, `elapsed` seconds after the first began. Once the forecast is known to be wrong by
  /// half, and every half minute: "30 of 122 prices in 31 s, about 1 min 40 s left", and what other programs
  /// took of the CPUs, where that was much. Else empty.
  std::string row_ended(double elapsed, std::optional<double> other);

 private:
  int rows_;
  double seconds_of_a_row_;
  int ended_ = 0;
  double next_;  // seconds, when it is said again
};

}  // namespace prices
