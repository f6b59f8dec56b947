#include "harness/compare/ci.hpp"
#include "harness/compare/comparison_text.hpp"
#include "harness/compare/exports.hpp"
#include "harness/page/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace harness::page {
namespace {

/// "CPU" or "NVIDIA A30 (cuda:0)", so that no row is taken for another device's. The GPU's name is that of
/// the fingerprint.
std::string device_name(const std::string& device, const results::Fingerprint& fingerprint) {
  const auto machine = fingerprint.hard.value("machine", Json::object());
  if (!device.starts_with("cuda")) return "CPU: " + machine.value("cpu_model", std::string("unknown"));
  const auto gpu = machine.value("gpu", Json());
  const auto name = gpu.is_object() ? ": " + gpu.value("name", std::string("unknown")) : std::string();
  return fmt::format("GPU{} ({})", name, device);
}

/// The run's rows by device, each list in the order of the file.
std::map<std::string, compare::RunFile> by_device(const ReportedRun& reported) {
  std::map<std::string, compare::RunFile> parts;
  const auto& rows = reported.data["rows"];
  for (std::size_t i = 0; i < reported.run.rows.size(); ++i) {
    const auto device = device_name(rows[i].value("device", std::string("cpu")), reported.run.fingerprint);
    auto [part, is_new] = parts.try_emplace(device);
    if (is_new) {
      part->second.started = reported.run.started;
      part->second.commit = reported.run.commit;
      part->second.fingerprint = reported.run.fingerprint;
    }
    part->second.rows.push_back(reported.run.rows[i]);
  }
  return parts;
}

/// Rows that were not measured are counted, not listed: on a machine without a GPU they are most.
std::string run_markdown(const ReportedRun& reported) {
  std::string out;
  for (auto& [device, part] : by_device(reported)) {
    compare::RunFile measured = part;
    std::erase_if(measured.rows, [](const compare::RunRow& row) { return row.verdict == Verdict::skipped; });
    const auto skipped = part.rows.size() - measured.rows.size();
    auto report = compare::run_report(measured);
    report.title += " on " + device;
    if (skipped > 0) report.notes.push_back(fmt::format("{} rows skipped there.", skipped));
    out += compare::markdown_text(report);
  }
  return out;
}

}  // namespace

std::string report_markdown(const Report& report) {
  std::string out;
  for (const auto& reported : report.runs) out += run_markdown(reported);
  if (report.comparison) {
    auto compared = compare::comparison_report(*report.comparison, false);
    for (const auto& [field, base, current] : report.comparison->differences)
      compared.notes.push_back(fmt::format("{} differs: {} -> {}", field, base, current));
    out += compare::markdown_text(compared);
  }
  return out;
}

}  // namespace harness::page
