#include "harness/predict/misses.hpp"

#include "harness/results/fingerprint.hpp"
#include "harness/results/prediction.hpp"
#include "harness/support/field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace harness::predict {
namespace {

constexpr std::string_view schema = "tuneproof.misses";
constexpr double always_at_stake = 0.2;  // of the form below, by prices
constexpr double replay_at_stake = 0.1;  // where operators were run again and explain it
constexpr double too_wide = 0.5;         // half an interval, as a share of the form below

Json miss_to_json(const Miss& miss) {
  return {{"step", miss.step},
          {"machine_class", miss.machine_class},
          {"replayed", miss.replayed},
          {"size", finite(miss.size)}};
}

Miss miss_from_json(const Field& json) {
  const auto size = json["size"].number();
  if (!(size >= 0) || !std::isfinite(size)) json["size"].reject("expected a size of at least 0");
  return {json["step"].text(), json["machine_class"].text(), json["replayed"].boolean(), size};
}

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

}  // namespace

double unit_of(const results::Prediction& prediction) {
  double work = 0;
  for (const auto& removed : prediction.removes) work += std::abs(removed.seconds);
  if (!results::is_replayed(prediction)) return work + always_at_stake * prediction.below;
  const auto unexplained = std::abs(std::log(prediction.explained));
  return work / prediction.explained + (replay_at_stake + unexplained) * prediction.below;
}

std::vector<Miss> misses_of(const results::Results& results) {
  std::vector<Miss> misses;
  for (const auto& row : results.rows) {
    const auto check = results::check_prediction(row);
    if (!check || !row.prediction->reason.empty()) continue;
    const auto unit = unit_of(*row.prediction);
    if (!(unit > 0)) continue;
    misses.push_back({row.step, results::machine_class(results.fingerprint),
                      results::is_replayed(*row.prediction),
                      std::abs(row.prediction->saving - check->saving) / unit});
  }
  return misses;
}

std::optional<double> bound_of(std::vector<double> sizes) {
  const auto rank =
      static_cast<std::size_t>(std::ceil(promised_coverage * static_cast<double>(sizes.size() + 1)));
  if (rank > sizes.size()) return std::nullopt;
  std::ranges::nth_element(sizes, sizes.begin() + static_cast<std::ptrdiff_t>(rank - 1));
  return sizes[rank - 1];
}

void widen(results::Prediction& prediction, std::string_view step, std::string_view machine_class,
           std::span<const Miss> misses) {
  if (!prediction.reason.empty()) return;
  const auto alike = [&, replayed = results::is_replayed(prediction)](const Miss& miss) {
    return miss.step != step && miss.replayed == replayed;
  };
  auto bound = bound_of_those(
      misses, [&](const Miss& miss) { return alike(miss) && miss.machine_class == machine_class; });
  if (!bound) bound = bound_of_those(misses, alike);
  if (!bound) return;
  const auto half = bound->size * unit_of(prediction);
  prediction.earlier_rows = static_cast<int>(bound->rows);
  if (half > too_wide * prediction.below) {
    prediction.reason = fmt::format(
        "cannot predict: so much work changes hands that the saving could be {:.0f} % of the form below more "
        "or "
        "less, as {} earlier rows have shown",
        100 * half / prediction.below, bound->rows);
    prediction.saving = 0;
    prediction.interval = {};
    return;
  }
  prediction.interval = {prediction.saving - half, std::min(prediction.saving + half, prediction.below)};
}

Json misses_to_json(std::span<const Miss> misses) {
  Json json;
  json["schema"] = schema;
  json["schema_version"] = {{"major", 1}, {"minor", 0}};
  json["misses"] = Json::array();
  for (const auto& miss : misses) json["misses"].push_back(miss_to_json(miss));
  return json;
}

std::vector<Miss> misses_from_json(const Json& json, const std::string& file) {
  const Field root(json, file);
  if (root["schema"].text() != schema || root["schema_version"]["major"].integer() != 1)
    root.reject("this is no list of misses that this version reads");
  std::vector<Miss> misses;
  for (const auto& miss : root["misses"].entries()) misses.push_back(miss_from_json(miss));
  return misses;
}

}  // namespace harness::predict
