#include "harness/page/simulation_data.hpp"

#include "harness/trace/simulated.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::page {
namespace {

constexpr int simulation_major = 1;

double positive(const Field& field) {
  const auto value = field.number();
  if (!std::isfinite(value) || value <= 0) field.reject("expected a number above 0");
  return value;
}

/// The interval around `value`.
Json interval(const Field& json, double value) {
  const auto [low, high] = json.rising_pair();
  if (!(low > 0) || !std::isfinite(high)) json.reject("expected two numbers above 0");
  constexpr double rounding = 1e-9;  // ends are worked out by exponentials
  if (value < low * (1 - rounding) || value > high * (1 + rounding))
    json.reject(fmt::format("the interval does not hold its value, {:g}", value));
  return {low, high};
}

std::string name_from(const Field& field) {
  auto text = field.text();
  if (text.empty()) field.reject("expected a name");
  return text;
}

Json form_data(const Field& form, std::string_view name) {
  if (form["form"].text() != name) form["form"].reject(fmt::format("expected '{}'", name));
  const auto seconds = positive(form["simulated_seconds"]);
  return {{"seconds", seconds}, {"interval", interval(form["interval"], seconds)}};
}

double ratio_of(const Field& row, double naive, double optimized) {
  const auto ratio = positive(row["simulated_ratio"]);
  constexpr double rounding = 1e-6;
  if (std::abs(ratio / (optimized / naive) - 1) > rounding)
    row["simulated_ratio"].reject(fmt::format("the forms' times have the ratio {:g}", optimized / naive));
  return ratio;
}

Json row_data(const Field& row) {
  const auto cannot = row["cannot"].text();
  Json data{{"row", name_from(row["row"])}, {"gpu", name_from(row["simulated_on"])}, {"cannot", cannot}};
  const auto forms = row["forms"].entries();
  if (forms.empty() && !cannot.empty()) return data;
  if (forms.size() != 2 || !cannot.empty())
    row["forms"].reject("expected two forms, or none and a reason in 'cannot'");
  data["naive"] = form_data(forms[0], "naive");
  data["optimized"] = form_data(forms[1], "optimized");
  const auto ratio =
      ratio_of(row, data["naive"]["seconds"].get<double>(), data["optimized"]["seconds"].get<double>());
  data["ratio"] = ratio;
  data["ratio_interval"] = interval(row["ratio_interval"], ratio);
  return data;
}

}  // namespace

bool is_simulation(const Field& root) {
  const auto block = root.find("tuneproof");
  if (!block || !block->json().is_object()) return false;
  const auto schema = block->find("schema");
  return schema && schema->json() == "tuneproof.simulation";
}

Json simulation_data(const Field& root) {
  const auto major = root["tuneproof"]["schema_version"]["major"];
  if (major.integer() != simulation_major)
    major.reject(fmt::format("version {} of a simulation is unknown here", major.integer()));
  auto rows = Json::array();
  for (const auto& row : root["simulated"].entries()) rows.push_back(row_data(row));
  if (rows.empty()) root["simulated"].reject("the simulation has no row");
  return {{"warning", trace::simulated_warning},
          {"recording", root["recording"].text()},
          {"rows", std::move(rows)}};
}

}  // namespace harness::page
