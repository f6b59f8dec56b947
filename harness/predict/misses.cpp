#include "harness/predict/misses.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace harness::predict {
namespace {

constexpr std::string_view misses_schema = "tuneproof.misses";
constexpr double always_at_stake = 0.2;  // of the form below, by prices
constexpr double replay_at_stake = 0.1;  // where operators were run again and explain it
constexpr double always_doubted = 0.05;  // of the form below, by another machine's result

std::string_view word(Basis basis) {
  if (basis == Basis::prices) return "prices";
  return basis == Basis::operators ? results::run_again : "another machine";
}

Basis basis_from(const Field& json) {
  const auto text = json.text();
  for (const auto basis : {Basis::prices, Basis::operators, Basis::elsewhere})
    if (text == word(basis)) return basis;
  json.reject("'" + text + "' is nothing that a prediction rests on");
}

Json miss_to_json(const Miss& miss) {
  return {{"step", miss.step},
          {"machine_class", miss.machine_class},
          {"rests_on", word(miss.basis)},
          {"size", finite(miss.size)}};
}

Miss miss_from_json(const Field& json, bool tells_basis) {
  const auto size = json["size"].number();
  if (!(size >= 0) || !std::isfinite(size)) json["size"].reject("expected a size of at least 0");
  const auto older = [&] { return json["replayed"].boolean() ? Basis::operators : Basis::prices; };
  return {json["step"].text(), json["machine_class"].text(),
          tells_basis ? basis_from(json["rests_on"]) : older(), size};
}

}  // namespace

Basis basis_of(const results::Prediction& counted) {
  return results::is_replayed(counted) ? Basis::operators : Basis::prices;
}

double unit_of(const results::Prediction& prediction) {
  double work = 0;
  for (const auto& removed : prediction.removes) work += std::abs(removed.seconds);
  if (!results::is_replayed(prediction)) return work + always_at_stake * prediction.below;
  const auto unexplained = std::abs(std::log(prediction.explained));
  return work / prediction.explained + (replay_at_stake + unexplained) * prediction.below;
}

double unit_of(const results::Elsewhere& elsewhere, double form) {
  return always_doubted * form + std::abs(elsewhere.share * form - elsewhere.counted);
}

std::optional<double> bound_of(std::vector<double> sizes) {
  const auto rank =
      static_cast<std::size_t>(std::ceil(promised_coverage * static_cast<double>(sizes.size() + 1)));
  if (rank > sizes.size()) return std::nullopt;
  std::ranges::nth_element(sizes, sizes.begin() + static_cast<std::ptrdiff_t>(rank - 1));
  return sizes[rank - 1];
}

Json misses_to_json(std::span<const Miss> misses) {
  Json json;
  json["schema"] = misses_schema;
  json["schema_version"] = {{"major", 2}, {"minor", 0}};
  json["misses"] = Json::array();
  for (const auto& miss : misses) json["misses"].push_back(miss_to_json(miss));
  return json;
}

std::vector<Miss> misses_from_json(const Json& json, const std::string& file) {
  const Field root(json, file);
  const auto major = root["schema"].text() == misses_schema ? root["schema_version"]["major"].integer() : 0;
  if (major != 1 && major != 2) root.reject("this is no list of misses that this version reads");
  std::vector<Miss> misses;
  for (const auto& miss : root["misses"].entries()) misses.push_back(miss_from_json(miss, major == 2));
  return misses;
}

}  // namespace harness::predict
