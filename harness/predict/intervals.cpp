#include "harness/predict/intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace harness::predict {
namespace {

constexpr double too_wide = 0.5;  // half an interval, as a share of the form below

struct Bound {
  double size = 0;
  std::size_t rows = 0;
};

template <class Applies>
std::optional<Bound> bound_of_those(std::span<const Miss> misses, const Applies& applies) {
  std::vector<double> sizes;
  for (const auto& miss : misses)
    if (applies(miss)) sizes.push_back(miss.size);
  const auto rows = sizes.size();
  if (const auto bound = bound_of(std::move(sizes))) return Bound{*bound, rows};
  return std::nullopt;
}

std::optional<Bound> bound_for(Basis basis, const Calibration& known) {
  const auto alike = [&](const Miss& miss) { return miss.step != known.step && miss.basis == basis; };
  const auto here = bound_of_those(known.misses, [&](const Miss& miss) {
    return alike(miss) && miss.machine_class == known.machine_class;
  });
  return here ? here : bound_of_those(known.misses, alike);
}

/// `why_so_far`: what comes before "that the saving could be ..".
void set_interval(results::Prediction& prediction, const Bound& bound, double unit,
                  const std::string& why_so_far) {
  const auto half = bound.size * unit;
  prediction.earlier_rows = static_cast<int>(bound.rows);
  if (half > too_wide * prediction.below) {
    prediction.reason = fmt::format(
        "cannot predict: {} that the saving could be {:.0f} % of the form below more or less, as {} earlier "
        "rows have shown",
        why_so_far, 100 * half / prediction.below, bound.rows);
    prediction.saving = 0;
    prediction.interval = {};
    return;
  }
  prediction.interval = {prediction.saving - half, std::min(prediction.saving + half, prediction.below)};
}

}  // namespace

void widen(results::Prediction& prediction, const Calibration& known) {
  if (!prediction.reason.empty()) return;
  if (const auto bound = bound_for(basis_of(prediction), known))
    set_interval(prediction, *bound, unit_of(prediction), "so much work changes hands");
}

void take_from(const results::Elsewhere& elsewhere, results::Prediction& prediction,
               const Calibration& known) {
  if (!prediction.reason.empty()) return;
  const auto bound = bound_for(Basis::elsewhere, known);
  if (!bound) return;
  prediction.elsewhere = elsewhere;
  prediction.saving = elsewhere.share * prediction.below;
  set_interval(
      prediction, *bound, unit_of(elsewhere, prediction.below),
      fmt::format("the {:.0f} % saved on {} are so far from the {:.0f} % counted here", 100 * elsewhere.share,
                  elsewhere.machine, 100 * elsewhere.counted / prediction.below));
}

}  // namespace harness::predict
