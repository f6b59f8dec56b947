#include "harness/compare/ci.hpp"
#include "harness/compare/comparison_text.hpp"
#include "harness/compare/export_formats.hpp"
#include "harness/page/report.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace harness::page {
namespace {

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
    if (skipped > 0) report.notes.push_back(fmt::format("{} rows skipped there.", skipped));
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

std::string report_markdown(const Report& report) {
  std::string out;
  for (const auto& run : report.runs) out += run_markdown(run);
  if (report.comparison) {
    out += compare::markdown_text(compare::comparison_report(*report.comparison, {}));
  }
  for (const auto& simulation : report.simulations) out += simulation_markdown(simulation);
  return out;
}

}  // namespace harness::page
