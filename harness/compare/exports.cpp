#include "harness/compare/exports.hpp"

#include "harness/run/verdict_text.hpp"
#include "harness/support/field.hpp"
#include "harness/support/number.hpp"
#include "harness/trace/intern.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string_view>

namespace harness::compare {
namespace {

/// One form of one row: its median and the interval of that median, in ns.
struct Latency {
  std::string name;
  double value = 0;
  std::optional<Interval> interval;
  const RunRow* row = nullptr;
};

std::vector<Latency> latencies(const RunFile& run) {
  std::vector<Latency> all;
  const auto add = [&](const RunRow& row, const char* form, double seconds, const std::vector<double>& logs) {
    if (seconds <= 0) return;
    all.push_back({row.name + "/variant:" + form, seconds * 1e9, {}, &row});
    if (const auto interval = median_interval(logs, run.alpha))
      all.back().interval = Interval{std::exp(interval->low) * 1e9, std::exp(interval->high) * 1e9};
  };
  for (const auto& row : run.rows) {
    if (!row.measured()) continue;
    add(row, "naive", row.naive_seconds, row.naive);
    add(row, "optimized", row.optimized_seconds, row.optimized);
  }
  return all;
}

/// RFC 4180: in quotes where it must be, quotes doubled. A cell that a spreadsheet would run is defused.
std::string csv_cell(std::string_view text) {
  const bool formula = !text.empty() && std::string_view("=+-@").find(text.front()) != text.npos;
  const bool quoted = text.find_first_of(",\"\r\n") != text.npos;
  std::string out;
  if (quoted) out.push_back('"');
  if (formula) out.push_back('\'');
  for (const char c : trace::printable(text)) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  if (quoted) out.push_back('"');
  return out;
}

std::string csv_number(double value) { return std::isfinite(value) ? fmt::format("{:.9g}", value) : ""; }

CiRow ci_row(const RunRow& row) {
  CiRow out{.group = row.step, .name = row.name, .verdict = std::string(run::verdict_text(row.verdict))};
  const bool well = row.verdict == Verdict::helps || row.verdict == Verdict::no_effect;
  const bool fault = row.verdict == Verdict::invalid || row.verdict == Verdict::failed;
  out.fate = well ? Fate::pass : fault ? Fate::error : Fate::skipped;
  out.message = row.measured() ? fmt::format("{}", fmt::join(row.flags, ", ")) : row.reason;
  if (!row.measured() || row.log_ratios.empty()) return out;
  out.change = change_text(row.ratio, row.ratio_interval);
  const auto number = [](double value) { return fmt::format("{:.6g}", value); };
  out.properties = {{"rho", number(row.ratio)},
                    {"R", fmt::format("{}", row.log_ratios.size())},
                    {"sd", number(row.sd)},
                    {"mde95", number(row.smallest_effect)},
                    {"delta", number(row.delta)}};
  if (row.ratio_interval) {
    out.properties.emplace_back("L", number(row.ratio_interval->low));
    out.properties.emplace_back("U", number(row.ratio_interval->high));
  }
  return out;
}

}  // namespace

std::string bmf_text(const RunFile& run) {
  Json json = Json::object();
  for (const auto& latency : latencies(run)) {
    Json value = {{"value", latency.value}};
    if (latency.interval) {
      value["lower_value"] = latency.interval->low;
      value["upper_value"] = latency.interval->high;
    }
    json[latency.name]["latency"] = std::move(value);
  }
  return pretty(json);
}

std::string gha_text(const RunFile& run) {
  Json json = Json::array();
  for (const auto& latency : latencies(run)) {
    Json entry = {{"name", latency.name}, {"unit", "ns"}, {"value", latency.value}};
    if (latency.interval)
      entry["range"] = fmt::format("{:.6g}", (latency.interval->high - latency.interval->low) / 2);
    entry["extra"] = fmt::format(
        "{} (optimized against naive {}), {} units", run::verdict_text(latency.row->verdict),
        change_text(latency.row->ratio, latency.row->ratio_interval), latency.row->log_ratios.size());
    json.push_back(std::move(entry));
  }
  return pretty(json);
}

std::string csv_text(const RunFile& run) {
  std::string out = "time,commit,step,row,verdict,naive_ns,optimized_ns,ratio,ratio_low,ratio_high,units\n";
  for (const auto& row : run.rows) {
    if (!row.measured()) continue;
    const auto low = row.ratio_interval ? csv_number(row.ratio_interval->low) : "";
    const auto high = row.ratio_interval ? csv_number(row.ratio_interval->high) : "";
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(run.started), csv_cell(run.commit),
                       csv_cell(row.step), csv_cell(row.name), to_string(row.verdict),
                       csv_number(row.naive_seconds * 1e9), csv_number(row.optimized_seconds * 1e9),
                       csv_number(row.ratio), low, high, row.log_ratios.size());
  }
  return out;
}

CiReport run_report(const RunFile& run) {
  CiReport report{.title = fmt::format("tuneproof {} at {}", run.started, run.commit)};
  if (results::on_stand_in(run.fingerprint)) report.title += fmt::format(" ({})", results::stand_in_warning);
  for (const auto& row : run.rows) report.rows.push_back(ci_row(row));
  return report;
}

}  // namespace harness::compare
