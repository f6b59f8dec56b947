#include "harness/predict/known_rows.hpp"

#include "harness/catalogue/log_options.hpp"
#include "harness/results/machine_name.hpp"
#include "harness/results/prediction.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/run/rank_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace harness::predict {
namespace {

constexpr std::string_view rows_schema = "tuneproof.rows";

bool same_class(const Json& one, const Json& other) { return results::differences(one, other).empty(); }

/// A share needs no more: intervals are wider.
double four_digits(double value) { return std::stod(fmt::format("{:.4g}", value)); }

/// True where the list has a newer result of the row in the class, or the same once more before it.
bool is_surpassed(const Known& one, std::span<const Known> known) {
  return std::ranges::any_of(known, [&](const Known& other) {
    const bool comes_first = other.started == one.started ? &other < &one : other.started > one.started;
    return comes_first && other.row == one.row && same_class(other.machine, one.machine);
  });
}

/// The session's entry, which is made where there is none.
Json& session_of(Json& sessions, const Known& row) {
  for (auto& session : sessions)
    if (session["started"] == row.started && session["machine"] == row.machine) return session;
  sessions.push_back({{"started", row.started}, {"machine", row.machine}, {"saved", Json::object()}});
  return sessions.back();
}

}  // namespace

Json machine_facts(const results::Fingerprint& fingerprint) {
  return fingerprint.hard.value("machine", Json::object());
}

bool has_usual_options(const results::Session& session) {
  for (const auto& [name, value] : session.options)
    if (name != "ranks" &&
        std::ranges::find(catalogue::log_options, name) == std::end(catalogue::log_options))
      return false;
  return run::rank_count(session.options) == run::rank_count({});
}

std::vector<Known> known_rows(const results::Results& results) {
  std::vector<Known> known;
  if (!has_usual_options(results.session) || results::on_stand_in(results.fingerprint)) return known;
  const auto machine = machine_facts(results.fingerprint);
  for (const auto& row : results.rows)
    if (row.judged.ratio_interval && row.naive_seconds > 0 && results::unpredictable(row).empty() &&
        std::isfinite(row.judged.ratio))
      known.push_back({row.name, machine, results.session.started, 1 - row.judged.ratio});
  return known;
}

const Known* newest_elsewhere(std::span<const Known> known, std::string_view row, const Json& machine) {
  const Known* newest = nullptr;
  for (const auto& one : known)
    if (one.row == row && (newest == nullptr || one.started > newest->started) &&
        !same_class(one.machine, machine))
      newest = &one;
  return newest;
}

std::optional<results::Elsewhere> elsewhere_of(const results::Row& row, std::span<const Known> known,
                                               const Json& machine) {
  const auto* const there = newest_elsewhere(known, row.name, machine);
  if (there == nullptr || !row.prediction) return std::nullopt;
  auto name = row.device.is_cuda() ? results::gpu_name(there->machine) : results::cpu_name(there->machine);
  return results::Elsewhere{.machine = name.empty() ? "unknown" : std::move(name),
                            .started = there->started,
                            .share = there->share,
                            .counted = row.prediction->saving};
}

Json known_to_json(std::span<const Known> known) {
  Json json;
  json["schema"] = rows_schema;
  json["schema_version"] = {{"major", 1}, {"minor", 0}};
  json["sessions"] = Json::array();
  for (const auto& row : known)
    if (!is_surpassed(row, known))
      session_of(json["sessions"], row)["saved"][row.row] = finite(four_digits(row.share));
  return json;
}

std::vector<Known> known_from_json(const Json& json, const std::string& file) {
  const Field root(json, file);
  if (root["schema"].text() != rows_schema || root["schema_version"]["major"].integer() != 1)
    root.reject("this is no list of measured rows that this version reads");
  std::vector<Known> known;
  for (const auto& session : root["sessions"].entries()) {
    session["machine"].members();  // an object
    for (const auto& [row, share] : session["saved"].members())
      known.push_back(
          {row, session["machine"].json(), session["started"].text(), results::share_from(share)});
  }
  return known;
}

}  // namespace harness::predict
