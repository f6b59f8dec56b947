#include "harness/page/simulation_data.hpp"

namespace harness::page {
namespace {

Json interval(const Field& json) {
  const auto ends = json.entries();
  if (ends.size() != 2) json.reject("expected the two ends of an interval");
  return {ends[0].number(), ends[1].number()};
}

Json form_data(const Field& form) {
  return {{"seconds", form["simulated_seconds"].number()}, {"interval", interval(form["interval"])}};
}

Json row_data(const Field& row) {
  Json data{
      {"row", row["row"].text()}, {"gpu", row["simulated_on"].text()}, {"cannot", row["cannot"].text()}};
  const auto forms = row["forms"].entries();
  if (forms.empty()) return data;
  if (forms.size() != 2) row["forms"].reject("expected two forms");
  data["naive"] = form_data(forms[0]);
  data["optimized"] = form_data(forms[1]);
  data["ratio"] = row["simulated_ratio"].number();
  data["ratio_interval"] = interval(row["ratio_interval"]);
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
  auto rows = Json::array();
  for (const auto& row : root["simulated"].entries()) rows.push_back(row_data(row));
  return {{"warning", root["warning"].text()},
          {"recording", root["recording"].text()},
          {"rows", std::move(rows)}};
}

}  // namespace harness::page
