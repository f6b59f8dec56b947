// How far earlier predictions were off, and so how wide the interval of the next one has to be (split
// conformal prediction; Vovk, Gammerman and Shafer 2005).
#pragma once

#include "harness/results/prediction.hpp"
#include "harness/support/field.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness::predict {

constexpr double promised_coverage = 0.9;  // of the predicted intervals

/// What a prediction rests on. Its misses are compared with those of its like alone.
enum class Basis {
  prices,     // of what was counted
  operators,  // that were run again
  elsewhere   // a result of the row on another machine, checked by one of the two above
};

/// Of a prediction that was measured afterwards.
struct Miss {
  std::string step;
  std::string machine_class;
  Basis basis = Basis::prices;
  double size = 0;  // the distance from predicted to measured, in units of its basis
};

/// Of what was counted.
Basis basis_of(const results::Prediction& prediction);

/// What a miss of the counted saving is measured in: all work that the tip removes and adds, and a share of
/// the form below. The more work changes hands, the more of it can be priced wrongly; and what is not counted
/// is of the form's size. Where operators were run again, the share is larger the less they explain the
/// form's time. Seconds.
double unit_of(const results::Prediction& prediction);
/// The same for another machine's result: the further it lies from what was counted here, the less is it
/// trusted. `form`: what the form below takes.
double unit_of(const results::Elsewhere& elsewhere, double form);

/// The smallest of `sizes` within which the next one lies with the promised coverage, if all are alike;
/// nothing where they are fewer than nine.
std::optional<double> bound_of(std::vector<double> sizes);

Json misses_to_json(std::span<const Miss> misses);
/// Throws BadInput, naming `file`, where it is no such list. Reads those of before 2.0, too.
std::vector<Miss> misses_from_json(const Json& json, const std::string& file);

/// Of the rows in results/ when this was built.
std::vector<Miss> shipped_misses();

}  // namespace harness::predict
