// Calls of one form at several scales, and what they are at another scale.
#pragma once

#include "harness/simulate/recording.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace harness::simulate {

/// The calls of one place in all recordings do different things, or no line fits their numbers.
struct DoesNotScale : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::size_t fewest_scales = 3;  // two for the line, one to check it

/// Puts each number of a call on the line through the first two scales, a + b scale; where that misses the
/// others, on a + b scale^2.
class Fitter {
 public:
  Fitter(std::vector<double> scales, double wanted) : scales_(std::move(scales)), wanted_(wanted) {}

  /// The form at the wanted scale. Throws DoesNotScale. Calls of a small graph have few nodes, whose number
  /// is rounded: where one of them misses its line, all calls of its name together must not.
  FormRecord fit(const std::vector<const FormRecord*>& same);

  int calls = 0;     // that were fitted
  int together = 0;  // of their numbers, those that only fit together
  double worst = 0;  // how far a check is off where it is farthest: 0.01 is 1 %

 private:
  using Number = double Entry::*;
  using Values = std::vector<double>;  // at each scale
  struct Line {
    double at_wanted = 0, off = 0;
  };

  Line through(const Values& values, double power) const;
  double power_of(const Values& values) const;
  Entry fit_entry(const std::vector<const Entry*>& same);
  double fitted(const Values& values, const std::string& name, Number number);
  int blocks_at(const std::vector<const Entry*>& same, const Entry& fitted) const;

  std::vector<double> scales_;
  double wanted_;
  std::map<std::string, std::map<std::size_t, Values>> totals_;  // of a name's calls, by the number's place
};

}  // namespace harness::simulate
