#include "harness/page/run_data.hpp"

#include "harness/page/published.hpp"

#include <algorithm>
#include <cmath>

namespace harness::page {
namespace {

constexpr std::size_t longest_prediction = 65536;

/// Six digits: what is drawn needs no more, and the page shall stay small.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == 0) return 0;
  const double scale = std::pow(10.0, 5 - std::floor(std::log10(std::abs(value))));
  return std::isfinite(scale) ? Json(std::round(value * scale) / scale) : Json(value);
}

/// Logarithms less `centre`, in 1/10,000.
Json compact(const std::vector<double>& logs, double centre) {
  auto list = Json::array();
  for (const auto value : logs) list.push_back(std::llround(1e4 * (value - centre)));
  return list;
}

void add_form(Json& row, const std::string& form, double seconds, const std::vector<double>& logs,
              double alpha) {
  if (seconds <= 0) return;
  row[form] = rounded(seconds);
  if (const auto interval = median_interval(logs, alpha))
    row[form + "_ci"] = {rounded(std::exp(interval->low)), rounded(std::exp(interval->high))};
  row[form + "_rounds"] = compact(logs, std::log(seconds));
}

Json figures_data(const std::vector<Figure>& figures) {
  auto list = Json::array();
  for (const auto& figure : figures)
    list.push_back({{"name", figure.name},
                    {"unit", figure.unit},
                    {"naive", rounded(figure.naive)},
                    {"optimized", rounded(figure.optimized)}});
  return list;
}

Json published_data(std::string_view text) {
  auto list = Json::array();
  for (const auto& pair : published_pairs(text))
    list.push_back({{"before", pair.before},
                    {"after", pair.after},
                    {"unit", pair.unit},
                    {"where", pair.where},
                    {"ratio", rounded(pair.ratio)}});
  return list;
}

/// What a row says of itself beside its figures. Files of older versions, and of tests, may lack any of it.
void add_place(Json& row, const compare::Node& node) {
  for (const char* name : {"device", "expected", "published", "metric", "timer", "stage"})
    if (const auto found = node.find(name)) row[name] = found->text();
  if (row.contains("published")) row["published_pairs"] = published_data(row["published"].get<std::string>());
  if (const auto at = node.find("at")) {
    row["at"] = Json::object();
    for (const auto& place : at->entries()) row["at"][place["axis"].text()] = place["text"].text();
  }
  if (const auto prediction = node.find("prediction"))
    row["prediction"] = parse_json(prediction->json(longest_prediction), prediction->path());
}

void add_result(Json& row, const compare::RunRow& read, const compare::RunFile& run) {
  row["delta"] = rounded(read.delta);
  row["ratio"] = rounded(read.ratio);
  if (read.ratio_interval)
    row["ratio_ci"] = {rounded(read.ratio_interval->low), rounded(read.ratio_interval->high)};
  row["mde"] = rounded(read.smallest_effect);
  row["logs"] = compact(read.log_ratios, 0);
  add_form(row, "naive", read.naive_seconds, read.naive, run.alpha);
  add_form(row, "optimized", read.optimized_seconds, read.optimized, run.alpha);
  if (!read.figures.empty()) row["figures"] = figures_data(read.figures);
}

Json row_data(const compare::RunRow& read, const compare::Node& node, const compare::RunFile& run) {
  Json row{{"name", read.name}, {"step", read.step}, {"verdict", to_string(read.verdict)}};
  if (!read.flags.empty()) row["flags"] = read.flags;
  if (!read.reason.empty()) row["reason"] = read.reason;
  add_place(row, node);
  if (!read.measured()) return row;
  if (const auto rounds = node["result"].find("rounds")) row["rounds"] = rounds->integer(0, 1'000'000);
  add_result(row, read, run);
  return row;
}

/// What disturbed the rounds, in all.
Json disturbance(const compare::Node& block) {
  const auto rounds = block.find("rounds");
  if (!rounds) return nullptr;
  double seconds = 0;
  double steal = 0;
  double switches = 0;
  const auto all = rounds->entries();
  for (const auto& round : all) {
    seconds += round["seconds"].number();
    if (const auto stolen = round.find("steal_seconds")) steal += stolen->number();
    if (const auto found = round.find("involuntary_switches")) switches += found->number();
  }
  return {{"rounds", all.size()},
          {"seconds", rounded(seconds)},
          {"steal_seconds", rounded(steal)},
          {"involuntary_switches", rounded(switches)}};
}

Json session_data(const compare::Node& session) {
  auto json = Json::object();
  for (const char* name : {"suite", "device", "units"})
    if (const auto found = session.find(name)) json[name] = found->text();
  if (const auto looks = session.find("looks")) json["looks"] = looks->numbers();
  return json;
}

Json change_data(const std::optional<compare::Change>& change) {
  if (!change) return nullptr;
  Json json{{"ratio", rounded(change->ratio)}, {"verdict", to_string(change->verdict)}};
  if (change->ratio_interval)
    json["ratio_ci"] = {rounded(change->ratio_interval->low), rounded(change->ratio_interval->high)};
  return json;
}

Json compared_row_data(const compare::ComparedRow& row) {
  Json json{{"name", row.name},
            {"step", row.step},
            {"verdict", to_string(row.verdict)},
            {"delta", rounded(row.delta)},
            {"base", rounded(row.base_seconds)},
            {"current", rounded(row.seconds)},
            {"naive", change_data(row.naive)},
            {"optimized", change_data(row.optimized)},
            {"speed_up", change_data(row.speed_up)}};
  if (!row.note.empty()) json["note"] = row.note;
  json["increases"] = Json::array();
  for (const auto& more : row.increases)
    json["increases"].push_back({{"figure", more.figure},
                                 {"form", more.form},
                                 {"unit", more.unit},
                                 {"base", more.base},
                                 {"current", more.current}});
  return json;
}

}  // namespace

Json run_data(const compare::RunFile& run, const compare::Document& document) {
  const auto block = document.root()["tuneproof"];
  const auto& print = run.fingerprint;
  Json json{{"file", std::filesystem::path(run.file).filename().string()},
            {"started", run.started},
            {"commit", run.commit},
            {"alpha", run.alpha},
            {"settings", run.settings},
            {"session", session_data(block["session"])},
            {"fingerprint", {{"id", print.id}, {"hard", print.hard}, {"soft", print.soft}}},
            {"disturbance", disturbance(block)},
            {"rows", Json::array()}};
  auto nodes = block["pairs"].entries();
  for (auto& error : block["errors"].entries()) nodes.push_back(std::move(error));
  for (std::size_t i = 0; i < run.rows.size(); ++i)
    json["rows"].push_back(row_data(run.rows[i], nodes[i], run));
  return json;
}

Json comparison_data(const compare::Comparison& comparison) {
  Json json{{"base", std::filesystem::path(comparison.base).filename().string()},
            {"current", std::filesystem::path(comparison.current).filename().string()},
            {"rows", Json::array()},
            {"missing", comparison.missing},
            {"added", comparison.added},
            {"warnings", comparison.warnings},
            {"differences", Json::array()}};
  for (const auto& row : comparison.rows)
    if (row.verdict != Verdict::skipped) json["rows"].push_back(compared_row_data(row));
  for (const auto& [field, base, current] : comparison.differences)
    json["differences"].push_back({{"field", field}, {"base", base}, {"current", current}});
  return json;
}

}  // namespace harness::page
