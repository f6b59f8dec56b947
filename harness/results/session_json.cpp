#include "harness/results/session_json.hpp"

#include "harness/core/parse_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>

namespace harness::results {
namespace {

std::uint64_t seed_from(const Field& field) {
  const auto seed = parse_hexadecimal(field.text());
  if (!seed) field.reject("expected a hexadecimal number of at most 64 bits like 0x1f");
  return *seed;
}

std::string one_of(const Field& field, std::initializer_list<std::string_view> words) {
  auto text = field.text();
  if (std::ranges::find(words, text) == words.end()) field.reject("'" + text + "' is unknown");
  return text;
}

}  // namespace

Json session_to_json(const Session& session) {
  Json json;
  json["id"] = session.id;
  // Text: a seed may need all 64 bits, and many readers keep only 53 of a number.
  json["seed"] = fmt::format("{:#x}", session.seed);
  json["data_seed"] = fmt::format("{:#x}", session.data_seed);
  json["mode"] = "variants";
  json["started"] = session.started;
  json["suite"] = session.suite;
  json["device"] = session.device;
  json["threads"] = session.threads;
  json["looks"] = session.looks;
  json["alpha"] = finite(session.alpha);
  json["k_pairs"] = session.pairs;
  json["units"] = session.units;
  json["rows"] = session.rows;
  json["options"] = Json::object();
  for (const auto& [name, value] : session.options) json["options"][name] = value;
  json["git"] = {{"head", session.commit}, {"dirty", session.commit.ends_with("-dirty")}};
  return json;
}

Session session_from_json(const Field& json) {
  Session session;
  session.id = json["id"].text();
  session.seed = seed_from(json["seed"]);
  session.data_seed = json.has("data_seed") ? seed_from(json["data_seed"]) : session.seed;
  session.started = json["started"].text();
  session.suite = one_of(json["suite"], {"quick", "full"});
  one_of(json["mode"], {"variants"});
  session.device = json["device"].text();
  session.threads = static_cast<int>(json["threads"].integer(1, 1'000'000));
  for (const auto& look : json["looks"].entries())
    session.looks.push_back(static_cast<int>(look.integer(1, 1'000'000)));
  if (session.looks.empty() ||
      std::ranges::adjacent_find(session.looks, std::greater_equal()) != session.looks.end())
    json["looks"].reject("expected rising numbers of rounds");
  session.alpha = json["alpha"].number();
  if (!(session.alpha > 0 && session.alpha < 1)) json["alpha"].reject("expected a share between 0 and 1");
  session.units = json["units"].text();
  session.pairs = static_cast<int>(json["k_pairs"].integer(1, 1000));
  if (json.has("rows")) session.rows = json["rows"].texts();
  for (const auto& [name, value] : json["options"].members()) session.options[name] = value.text();
  session.commit = json["git"]["head"].text();
  return session;
}

}  // namespace harness::results
