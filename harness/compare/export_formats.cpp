#include "harness/compare/export_formats.hpp"

#include "harness/run/closing_lines.hpp"
#include "harness/run/row_view.hpp"
#include "harness/support/field.hpp"
#include "harness/support/quantity.hpp"
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
  const results::Row* row = nullptr;
  std::size_t units = 0;
};

std::vector<Latency> latencies(const results::Results& run) {
  std::vector<Latency> all;
  for (const auto& row : run.rows) {
    if (is_error(row)) continue;
    const auto series = series_of(row);
    for (const auto form : {Form::naive, Form::optimized}) {
      const auto seconds = form_seconds(row, form);
      if (seconds <= 0) continue;
      all.push_back({fmt::format("{}/variant:{}", row.name, to_string(form)),
                     seconds * 1e9,
                     {},
                     &row,
                     series.log_ratios.size()});
      const auto& logs = form == Form::naive ? series.naive : series.optimized;
      if (const auto interval = median_interval(logs, run.session.alpha))
        all.back().interval = Interval{std::exp(interval->low) * 1e9, std::exp(interval->high) * 1e9};
    }
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

/// What is decided is a pass, whichever way and by whatever: a tip that does not pay here is a result.
Fate row_fate(const results::Row& row, const run::RowView& view) {
  return view.decided_by.empty() ? fate_of(row.judged.verdict) : Fate::pass;
}

CiCase ci_row(const results::Row& row) {
  const auto view = run::view_of(row);
  CiCase out{.group = row.step,
             .name = row.name,
             .fate = row_fate(row, view),
             .verdict = std::string(view.word),
             .seconds = row.row_seconds};
  std::vector<std::string> said;
  if (!view.before.empty()) said.push_back(view.sides);
  for (const auto& text : {view.sentence, view.note})
    if (!text.empty()) said.push_back(text);
  if (view.contradicts) said.push_back("contradicts its source: " + view.published);
  out.message = fmt::format("{}", fmt::join(said, "; "));
  const auto units = series_of(row).log_ratios.size();
  if (is_error(row) || units == 0) return out;
  add_change(out, row.judged.ratio, row.judged.ratio_interval, row.delta);
  add_figure(out, "rounds", static_cast<double>(units));
  add_figure(out, "spread of the rounds", row.judged.sd);
  add_figure(out, "smallest change that could be shown", row.judged.smallest_effect);
  return out;
}

}  // namespace

std::string bmf_text(const results::Results& run) {
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

std::string gha_text(const results::Results& run) {
  Json json = Json::array();
  for (const auto& latency : latencies(run)) {
    Json entry = {{"name", latency.name}, {"unit", "ns"}, {"value", latency.value}};
    if (latency.interval)
      entry["range"] = fmt::format("{:.6g}", (latency.interval->high - latency.interval->low) / 2);
    const auto& judged = latency.row->judged;
    entry["extra"] = fmt::format("{}: {} {}, {} units", run::view_of(*latency.row).sides,
                                 change_text(judged.ratio, judged.ratio_interval), run::word_of(*latency.row),
                                 latency.units);
    json.push_back(std::move(entry));
  }
  return pretty(json);
}

std::string csv_text(const results::Results& run) {
  std::string out = "time,commit,step,row,verdict,naive_ns,optimized_ns,ratio,ratio_low,ratio_high,units\n";
  for (const auto& row : run.rows) {
    if (is_error(row)) continue;
    const auto& ends = row.judged.ratio_interval;
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(run.session.started),
                       csv_cell(run.session.commit), csv_cell(row.step), csv_cell(row.name),
                       to_string(row.judged.verdict), csv_number(form_seconds(row, Form::naive) * 1e9),
                       csv_number(form_seconds(row, Form::optimized) * 1e9), csv_number(row.judged.ratio),
                       ends ? csv_number(ends->low) : "", ends ? csv_number(ends->high) : "",
                       series_of(row).log_ratios.size());
  }
  return out;
}

CiReport run_report(const results::Results& run) {
  CiReport report{.title = fmt::format("tuneproof {} at {}", run.session.started, run.session.commit)};
  if (results::on_stand_in(run.fingerprint)) report.title += fmt::format(" ({})", results::stand_in_warning);
  for (const auto& row : run.rows) report.rows.push_back(ci_row(row));
  report.notes = run::closing_lines(run.rows, {});
  if (!run.rows.empty()) report.notes.insert(report.notes.begin(), run::verdict_counts(run.rows));
  return report;
}

}  // namespace harness::compare
