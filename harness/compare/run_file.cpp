#include "harness/compare/run_file.hpp"

#include "harness/core/median.hpp"
#include "harness/core/setup.hpp"
#include "harness/results/metric.hpp"
#include "harness/results/results.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/utc_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace harness::compare {
namespace {

constexpr std::int64_t most_units = 1'000'000;
constexpr std::size_t longest_row_name = 16384;
constexpr double most_nanoseconds = 1e18;  // 30 years
constexpr double most_log_ratio = 50;      // of two such times it is 41
constexpr std::size_t longest_fingerprint = 65536;

double seconds_of(const Node& nanoseconds) {
  const auto value = nanoseconds.number();
  return std::isfinite(value) && value > 0 ? value * 1e-9 : 0;
}

Verdict verdict_of(const Node& node) {
  const auto word = node.text();
  for (const auto verdict : {Verdict::helps, Verdict::no_effect, Verdict::hurts, Verdict::inconclusive,
                             Verdict::invalid, Verdict::failed, Verdict::skipped})
    if (to_string(verdict) == word) return verdict;
  node.reject(fmt::format("'{}' is no verdict", word.substr(0, 40)));
}

/// A series of one form: ln of the median over the slots of each unit. Units that lack a time are left
/// out.
struct FormSeries {
  std::vector<std::vector<double>> slots;

  void add(std::size_t unit, double nanoseconds) {
    if (slots.size() <= unit) slots.resize(unit + 1);
    slots[unit].push_back(nanoseconds);
  }
  std::vector<double> logs() const {
    std::vector<double> all;
    for (const auto& unit : slots)
      if (!unit.empty() && std::ranges::all_of(unit, [](double t) { return std::isfinite(t); }))
        all.push_back(std::log(median(unit) * 1e-9));
    return all;
  }
};

void read_samples(const Node& samples, RunRow& row) {
  const auto units = samples["round"].numbers();
  const auto forms = samples["variant"].numbers();
  const auto times = samples["t_ns"].numbers();
  if (forms.size() != units.size() || times.size() != units.size())
    samples.reject("the columns differ in length");
  FormSeries naive, optimized;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (!(units[i] >= 0 && units[i] < static_cast<double>(std::min<std::size_t>(most_units, units.size()))))
      samples["round"].reject(fmt::format("{} is no round of this row", units[i]));
    if (times[i] <= 0 || times[i] > most_nanoseconds)
      samples["t_ns"].reject(fmt::format("{} is no time", times[i]));
    (forms[i] == 0 ? naive : optimized).add(static_cast<std::size_t>(units[i]), times[i]);
  }
  row.naive = naive.logs();
  row.optimized = optimized.logs();
}

void read_result(const Node& result, RunRow& row) {
  row.verdict = verdict_of(result["verdict"]);
  row.flags = result["flags"].texts();
  row.ratio = result["ratio"].number();
  if (row.ratio <= 0) result["ratio"].reject("a number above 0 is expected");
  if (const auto ends = result.find("ratio_ci")) {
    const auto values = ends->numbers();
    if (values.size() != 2 || !(values[0] <= values[1])) ends->reject("two rising numbers are expected");
    row.ratio_interval = Interval{values[0], values[1]};
  }
  row.sd = result["sd_round"].number();
  row.smallest_effect = result["mde95"].number();
  row.naive_seconds = seconds_of(result["naive_ns"]);
  row.optimized_seconds = seconds_of(result["optimized_ns"]);
}

RunRow row_of(const Node& pair) {
  RunRow row;
  row.name = row_name_of(pair["id"]);
  row.step = pair["step"].text();
  row.delta = pair["delta"].number();
  if (!(row.delta >= 0 && row.delta < 1)) pair["delta"].reject("a share between 0 and 1 is expected");
  row.event = pair["timer"].text() == "cuda_event";
  read_result(pair["result"], row);
  if (const auto metric = pair.find("metric");
      metric && results::statistic_from(metric->text()) != Statistic::median)
    row.naive_seconds = row.optimized_seconds = 0;  // no times
  if (const auto reason = pair.find("reason")) row.reason = reason->text();
  for (const auto d : pair["round_log_ratios"].numbers())
    if (std::abs(d) > most_log_ratio)
      pair["round_log_ratios"].reject(fmt::format("{} is no log ratio", d));
    else if (std::isfinite(d))
      row.log_ratios.push_back(d);
  for (const auto& figure : pair["figures"].entries())
    row.figures.push_back({figure["name"].text(), figure["unit"].text(), figure["naive"].number(),
                           figure["optimized"].number()});
  read_samples(pair["samples"], row);
  return row;
}

RunRow error_of(const Node& error) {
  RunRow row;
  row.name = row_name_of(error["id"]);
  row.step = error["step"].text();
  row.verdict = verdict_of(error["verdict"]);
  if (row.measured()) error["verdict"].reject("neither skipped nor failed");
  row.reason = error["message"].text();
  return row;
}

void check_schema(const Node& block) {
  if (block["schema"].text() != "tuneproof.results")
    block["schema"].reject("'tuneproof.results' is expected");
  const auto major = block["schema_version"]["major"];
  if (const auto number = major.integer(0, most_units); number > results::results_major)
    major.reject(fmt::format("the file was written by a newer tuneproof ({}; this one reads up to {})",
                             number, results::results_major));
}

void read_session(const Node& session, RunFile& run) {
  run.session = session["id"].text();
  run.started = session["started"].text();
  if (!utc_time(run.started)) session["started"].reject("a time like 2026-01-31T12:00:00+00:00 is expected");
  run.seed = session["seed"].text();
  const auto data_seed = session.find("data_seed");
  run.data_seed = data_seed ? data_seed->text() : run.seed;
  run.commit = session["git"]["head"].text();
  run.alpha = session["alpha"].number();
  if (!(run.alpha > 0 && run.alpha < 1)) session["alpha"].reject("a share between 0 and 1 is expected");
  run.settings["threads"] = std::to_string(session["threads"].integer(0, most_units));
  for (const auto& [name, value] : session["options"].members())
    run.settings[fmt::format("--{}", name)] = value.text();
}

void refuse_doubles(const RunFile& run) {
  std::set<std::string_view> seen;
  for (const auto& row : run.rows)
    if (!seen.insert(row.name).second)
      throw BadInput(fmt::format("{}: duplicate row '{}'", run.file, row.name));
}

}  // namespace

const RunRow* RunFile::find(std::string_view name) const {
  const auto found = std::ranges::find(rows, name, &RunRow::name);
  return found == rows.end() ? nullptr : &*found;
}

std::string row_name_of(const Node& node) {
  auto name = node.text();
  if (name.empty() || name.size() > longest_row_name) node.reject("a name of 1 to 16384 bytes is expected");
  if (std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    node.reject("the name has control characters");
  return name;
}

RunFile read_run(const Document& document, results::StandIn stand_in) {
  const auto root = document.root();
  RunFile run;
  run.file = root.path();
  const auto found = root.find("tuneproof");
  if (!found) root.reject("this is no results file of tuneproof: it has no block 'tuneproof'");
  const auto& block = *found;
  check_schema(block);
  read_session(block["session"], run);
  const auto fingerprint = block["fingerprint"];
  const auto json = parse_json(fingerprint.json(longest_fingerprint), fingerprint.path());
  const Field fields(json, fingerprint.path());
  run.fingerprint = results::fingerprint_from_json(fields);
  results::require_facts(fields["hard"]);
  results::check_stand_in(results::on_stand_in(run.fingerprint), stand_in, run.file);
  for (const auto& pair : block["pairs"].entries()) run.rows.push_back(row_of(pair));
  for (const auto& error : block["errors"].entries()) run.rows.push_back(error_of(error));
  refuse_doubles(run);
  return run;
}

RunFile read_run_file(const std::filesystem::path& file, results::StandIn stand_in) {
  return read_run(Document(file, most_results_bytes), stand_in);
}

}  // namespace harness::compare
