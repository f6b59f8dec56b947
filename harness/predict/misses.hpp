// How far earlier predictions were off, and so how wide the interval of the next one has to be (split
// conformal prediction; Vovk, Gammerman and Shafer 2005).
#pragma once

#include "harness/results/results.hpp"
#include "harness/support/field.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness::predict {

constexpr double promised_coverage = 0.9;  // of the predicted intervals

/// Of a prediction that was measured afterwards.
struct Miss {
  std::string step;
  std::string machine_class;
  bool replayed = false;  // it rests on operators that were run again, else on prices alone
  double size = 0;        // the distance from predicted to measured, in units of `unit_of`
};

/// What a miss is measured in: all work that the tip removes and adds, and a share of the form below. The
/// more work changes hands, the more of it can be priced wrongly; and what is not counted is of the form's
/// size. Where operators were run again, the share is larger the less they explain the form's time. Seconds.
double unit_of(const results::Prediction& prediction);

/// Those of a file's predicted rows that came to an interval.
std::vector<Miss> misses_of(const results::Results& results);

/// The smallest of `sizes` within which the next one lies with the promised coverage, if all are alike;
/// nothing where they are fewer than nine.
std::optional<double> bound_of(std::vector<double> sizes);

/// Gives a prediction of a row of `step` the interval that its earlier misses ask for: those of the same sort
/// and of other steps, on this class of machine if they are enough, else on all. Leaves it as it is where
/// they are too few. Where the interval would be wider than the form below takes, there is a reason and no
/// prediction.
void widen(results::Prediction& prediction, std::string_view step, std::string_view machine_class,
           std::span<const Miss> misses);

Json misses_to_json(std::span<const Miss> misses);
/// Throws BadInput, naming `file`, where it is no such list.
std::vector<Miss> misses_from_json(const Json& json, const std::string& file);

/// Of the rows in results/ when this was built.
std::vector<Miss> shipped_misses();

}  // namespace harness::predict
