// Where a row stands: what results, errors and a worker's answer have in common.
#include "harness/results/row_json.hpp"

#include <algorithm>

namespace harness::results {
namespace {

Outcome outcome_from(const Field& field) {
  const auto text = field.text();
  for (const auto outcome : {Outcome::helps, Outcome::no_effect, Outcome::hurts, Outcome::depends})
    if (to_string(outcome) == text) return outcome;
  field.reject("'" + text + "' is not an outcome");
}

RowSides sides_from(const Field& json) {
  const auto names = json.texts();
  if (names.size() != 2) json.reject("expected the names of two sides");
  return {names[0], names[1]};
}

}  // namespace

std::string row_name_from(const Field& field) {
  constexpr std::size_t longest = 16384;
  auto name = field.text();
  if (name.empty() || name.size() > longest) field.reject("expected a name of 1 to 16384 bytes");
  if (std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    field.reject("the name contains control characters");
  return name;
}

Json place_to_json(const Row& row) {
  Json json;
  json["id"] = row.name;
  json["step"] = row.step;
  json["at"] = Json::array();
  for (const auto& c : row.at) json["at"].push_back({{"axis", c.axis}, {"value", c.value}, {"text", c.text}});
  json["device"] = to_string(row.device);
  json["sides"] = {row.sides.naive, row.sides.optimized};
  json["expected"] = to_string(row.expected);
  json["published"] = row.published;
  json["delta"] = finite(row.delta);
  return json;
}

Row place_from_json(const Field& json) {
  Row row;
  row.name = row_name_from(json["id"]);
  row.step = json["step"].text();
  for (const auto& c : json["at"].entries())
    row.at.push_back({c["axis"].text(), c["value"].integer(), c["text"].text()});
  try {
    row.device = parse_device(json["device"].text());
  } catch (const std::invalid_argument& error) {
    json["device"].reject(error.what());
  }
  if (json.has("sides")) row.sides = sides_from(json["sides"]);
  row.expected = outcome_from(json["expected"]);
  row.published = json["published"].text();
  row.delta = json["delta"].number();
  if (!(row.delta >= 0 && row.delta < 1)) json["delta"].reject("expected a share between 0 and 1");
  return row;
}

}  // namespace harness::results
