#include "harness/pages/report.hpp"

#include "harness/compare/ci.hpp"
#include "harness/compare/comparison_text.hpp"
#include "harness/compare/export_formats.hpp"
#include "harness/pages/run_data.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

namespace harness::pages {
namespace {

bool diagnosed_on_stand_in(const Json& diagnosis) {
  return std::ranges::any_of(diagnosis["traces"], [](const Json& trace) {
    return trace["device"].is_string() && results::is_stand_in(trace["device"].get<std::string>());
  });
}

/// True where one of the files that the report shows was measured on the stand-in.
bool shows_stand_in(const Report& report) {
  const auto ran_there = [](const results::Results& run) { return results::on_stand_in(run.fingerprint); };
  const auto proved_there = [](const Json& self_test) { return results::on_stand_in(self_test["test"]); };
  const auto priced_there = [](const Json& prices) { return results::on_stand_in(prices); };
  return std::ranges::any_of(report.runs, ran_there) || (report.base && ran_there(*report.base)) ||
         std::ranges::any_of(report.self_tests, proved_there) ||
         std::ranges::any_of(report.prices, priced_there) ||
         std::ranges::any_of(report.traces, diagnosed_on_stand_in);
}

/// "CPU" or "NVIDIA A30 (cuda:0)", so that no row is taken for another device's. The GPU's name is that of
/// the fingerprint.
std::string device_name(const Device& device, const results::Fingerprint& fingerprint) {
  const auto machine = fingerprint.hard.value("machine", Json::object());
  if (!device.is_cuda()) return "CPU: " + machine.value("cpu_model", std::string("unknown"));
  const auto gpu = machine.value("gpu", Json());
  const auto name = gpu.is_object() ? ": " + gpu.value("name", std::string("unknown")) : std::string();
  return fmt::format("GPU{} ({})", name, to_string(device));
}

/// The run's rows by device, each list in the order of the file.
std::map<std::string, results::Results> by_device(const results::Results& run) {
  std::map<std::string, results::Results> parts;
  for (const auto& row : run.rows) {
    const auto [part, is_new] = parts.try_emplace(device_name(row.device, run.fingerprint));
    if (is_new)
      part->second = {.session = run.session, .fingerprint = run.fingerprint, .rounds = {}, .rows = {}};
    part->second.rows.push_back(row);
  }
  return parts;
}

/// Rows that were not measured are counted, not listed: on a machine without a GPU they are most.
std::string run_markdown(const results::Results& run) {
  std::string out;
  for (auto& [device, part] : by_device(run)) {
    const auto skipped = std::erase_if(
        part.rows, [](const results::Row& row) { return row.judged.verdict == Verdict::skipped; });
    auto report = compare::run_report(part);
    report.title += " on " + device;
    if (skipped > 0)
      report.notes.push_back(fmt::format("{} row{} skipped there.", skipped, skipped == 1 ? "" : "s"));
    out += compare::markdown_text(report);
  }
  return out;
}

std::string form_text(const Json& form) {
  return fmt::format("{} [{}, {}]", time_text(form["seconds"].get<double>()),
                     time_text(form["interval"][0].get<double>()),
                     time_text(form["interval"][1].get<double>()));
}

/// A prediction has no verdict.
compare::CiCase simulated_row(const Json& row) {
  compare::CiCase out{.name = row["row"].get<std::string>() + " on " + row["gpu"].get<std::string>(),
                      .verdict = "simulated"};
  if (!row.contains("ratio")) {
    out.message = "cannot simulate: " + row["cannot"].get<std::string>();
    return out;
  }
  const Interval interval{row["ratio_interval"][0].get<double>(), row["ratio_interval"][1].get<double>()};
  out.change = change_text(row["ratio"].get<double>(), interval);
  out.message = form_text(row["naive"]) + " -> " + form_text(row["optimized"]);
  return out;
}

std::string simulation_markdown(const Json& simulation) {
  compare::CiReport report{.title = "Simulated: no GPU took part. " + simulation["file"].get<std::string>()};
  for (const auto& row : simulation["rows"]) report.rows.push_back(simulated_row(row));
  for (const auto* note : {"warning", "recording"})
    if (const auto text = simulation[note].get<std::string>(); !text.empty()) report.notes.push_back(text);
  return compare::markdown_text(report);
}

}  // namespace

std::string script_json(const Json& data) {
  const auto plain = one_line(data);
  std::string text;
  text.reserve(plain.size());
  for (const char c : plain) {
    if (c == '<')
      text += "\\u003c";  // outside of strings JSON has none
    else
      text += c;
  }
  return text;
}

std::string page_html(const Json& data) {
  const auto [before, behind] = page_template();
  std::string page(before);
  page += script_json(data);
  page += behind;
  return page;
}

Json report_data(const Report& report) {
  Json data{{"program", report.program}, {"runs", Json::array()}};
  for (const auto& run : report.runs) data["runs"].push_back(run_data(run));
  data["stand_in"] = shows_stand_in(report) ? Json(results::stand_in_warning) : Json();
  data["steps"] = report.steps;
  data["prices"] = report.prices;
  data["self_tests"] = report.self_tests;
  data["traces"] = report.traces;
  data["history"] = report.history;
  data["simulations"] = report.simulations;
  data["comparison"] = nullptr;
  if (report.comparison) {
    data["comparison"] = comparison_data(*report.comparison);
    auto base = run_data(*report.base);
    for (auto& row : base["rows"])  // the comparison has what else it needs of them
      row = {{"device", row["device"]}, {"verdict", row["verdict"]}};
    data["comparison"]["base_run"] = std::move(base);
  }
  return data;
}

std::string report_markdown(const Report& report) {
  std::string out;
  for (const auto& run : report.runs) out += run_markdown(run);
  if (report.comparison) {
    out += compare::markdown_text(compare::comparison_report(*report.comparison, {}));
  }
  for (const auto& simulation : report.simulations) out += simulation_markdown(simulation);
  return out;
}

}  // namespace harness::pages
