#include "harness/pages/run_data.hpp"

#include "harness/compare/comparison_text.hpp"
#include "harness/results/row_json.hpp"
#include "harness/run/closing_lines.hpp"
#include "harness/run/open_rows.hpp"
#include "harness/run/row_view.hpp"

#include <charconv>
#include <cmath>
#include <tuple>

namespace harness::pages {
namespace {

/// Six digits: what is drawn needs no more, and the page shall stay small. Changes keep all of theirs, so
/// that the page rounds them as the terminal does.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == 0) return 0;
  const double scale = std::pow(10.0, 5 - std::floor(std::log10(std::abs(value))));
  return std::isfinite(scale) ? Json(std::round(value * scale) / scale) : Json(value);
}

/// Logarithms less `center`, in 1/10,000.
Json compact(const std::vector<double>& logs, double center) {
  auto list = Json::array();
  for (const auto value : logs) list.push_back(std::llround(1e4 * (value - center)));
  return list;
}

/// Logarithms of what is printed.
std::vector<double> printed_logs(const results::Row& row, std::vector<double> logs) {
  if (results::is_rate(row.name))
    for (auto& log : logs) log = -log;
  return logs;
}

/// A side's time, or what stands for it, and one value a round.
void add_form(Json& row, const results::Row& read, Form form, const std::vector<double>& logs, double alpha) {
  const auto shown = compare::shown_value(read, form);
  if (shown <= 0) return;
  const auto value = results::as_printed(read.name, shown);
  const std::string name(to_string(form));
  row[name] = rounded(value);
  if (const auto interval = median_interval(logs, alpha)) {
    const auto ends = compare::holding({std::exp(interval->low), std::exp(interval->high)}, value);
    row[name + "_ci"] = {rounded(ends.low), rounded(ends.high)};
  }
  row[name + "_rounds"] = compact(logs, std::log(value));
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

/// What a row says of itself beside its figures.
void add_place(Json& row, const results::Row& read) {
  row["device"] = to_string(read.device);
  row["expected"] = run::expected_word(read);
  row["published"] = run::published_text(read);
  row["published_pairs"] = published_data(read.published);
  if (!read.stage.empty()) row["stage"] = read.stage;
  row["at"] = Json::object();
  for (const auto& place : read.at) row["at"][place.axis] = place.text;
}

void add_result(Json& row, const results::Row& read, double alpha) {
  const auto series = compare::series_of(read);
  row["metric"] = results::metric_of(read.measured);
  row["timer"] = results::timer_name(read.measured.timer);
  row["rounds"] = read.rounds;
  row["delta"] = rounded(read.delta);
  if (!series.log_ratios.empty()) row["ratio"] = finite(results::as_printed(read.name, read.judged.ratio));
  if (const auto ends = results::as_printed(read.name, run::shown_interval(read)))
    row["ratio_ci"] = {finite(ends->low), finite(ends->high)};
  row["mde"] = rounded(read.judged.smallest_effect);
  row["logs"] = compact(printed_logs(read, series.log_ratios), 0);
  add_form(row, read, Form::naive, printed_logs(read, series.naive), alpha);
  add_form(row, read, Form::optimized, printed_logs(read, series.optimized), alpha);
  if (const auto words = compare::value_words(read); !words.is_time()) row["unit"] = words.unit;
  if (!read.measured.figures.empty()) row["figures"] = figures_data(read.measured.figures);
  if (const auto evidence = run::evidence_text(read);
      read.judged.verdict == Verdict::inconclusive && !evidence.empty())
    row["evidence"] = evidence;
}

Json row_data(const results::Row& read, double alpha) {
  const auto view = run::view_of(read);
  Json row{{"name", read.name},
           {"step", read.step},
           {"verdict", to_string(read.judged.verdict)},
           {"word", view.word},
           {"sides", {read.sides.naive, read.sides.optimized}}};
  if (!view.decided_by.empty()) row["by"] = view.decided_by;
  if (!view.sentence.empty()) row["sentence"] = view.sentence;
  if (view.contradicts) row["contradicts"] = true;
  if (!read.judged.flags.empty()) row["flags"] = run::reasons_of(read.judged);
  if (!read.reason.empty()) row["reason"] = read.reason;
  add_place(row, read);
  if (!is_error(read)) add_result(row, read, alpha);
  return row;
}

std::vector<std::string> names_of(const std::vector<const results::Row*>& rows) {
  std::vector<std::string> names;
  for (const auto* row : rows) names.push_back(row->name);
  return names;
}

/// What disturbed the rounds, in all, or the rehearsal where there is no round; its sentence is the
/// terminal's.
Json disturbance(const results::Results& run) {
  const auto& rounds = run.rounds;
  auto text = run::disturbance_text(run);
  if (rounds.empty() && text.empty()) return nullptr;
  double seconds = 0;
  double steal = 0;
  std::int64_t switches = 0;
  for (const auto& round : rounds) {
    seconds += round.seconds;
    steal += round.steal_seconds;
    switches += round.disturbance.involuntary_switches;
  }
  const auto other = run::other_work(run);
  return {
      {"text", std::move(text)},         {"other_cpu", other ? rounded(*other) : Json()},
      {"rounds", rounds.size()},         {"seconds", rounded(seconds)},
      {"steal_seconds", rounded(steal)}, {"involuntary_switches", rounded(static_cast<double>(switches))}};
}

Json change_data(const std::string& row, const std::optional<compare::Change>& change) {
  if (!change) return nullptr;
  Json json{{"ratio", finite(results::as_printed(row, change->ratio))},
            {"verdict", to_string(change->verdict)}};
  if (const auto ends = results::as_printed(row, change->ratio_interval))
    json["ratio_ci"] = {finite(ends->low), finite(ends->high)};
  return json;
}

Json compared_row_data(const compare::ComparedRow& row) {
  const auto value = [&](double one) {
    return one > 0 ? rounded(results::as_printed(row.name, one)) : Json();
  };
  Json json{{"name", row.name},
            {"step", row.step},
            {"verdict", to_string(row.verdict)},
            {"word", compare::compared_word(row)},
            {"delta", rounded(row.delta)},
            {"base", value(row.base_seconds)},
            {"current", value(row.seconds)},
            {"unit", row.words.unit},
            {"naive", change_data(row.name, row.naive)},
            {"optimized", change_data(row.name, row.optimized)},
            {"speed_up", change_data(row.name, row.speed_up)}};
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

constexpr std::string_view arrow = " -> ";

/// Takes a number above 0 from the front.
std::optional<double> take_number(std::string_view& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value > 0)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool is_time(std::string_view unit) {
  constexpr std::array<std::string_view, 4> times{"s", "ms", "us", "ns"};
  return std::ranges::find(times, unit.substr(0, unit.find('/'))) != times.end();
}

/// What stands in the first brackets, up to its first comma.
std::string where_of(std::string_view text) {
  const auto open = text.find('(');
  if (open == text.npos) return {};
  text.remove_prefix(open + 1);
  return std::string(text.substr(0, text.find_first_of(",)")));
}

std::optional<PublishedPair> pair_of(std::string_view clause) {
  clause.remove_prefix(std::min(clause.find_first_not_of(' '), clause.size()));
  const auto before = take_number(clause);
  if (!before || !clause.starts_with(arrow)) return std::nullopt;
  clause.remove_prefix(arrow.size());
  const auto after = take_number(clause);
  if (!after || !clause.starts_with(' ') || clause.find("->") != clause.npos) return std::nullopt;
  clause.remove_prefix(1);
  const auto unit = clause.substr(0, clause.find_first_of(" ,;"));
  const bool rate = unit.ends_with("/s");
  if (!rate && !is_time(unit)) return std::nullopt;
  const double ratio = rate ? *before / *after : *after / *before;
  return PublishedPair{*before, *after, std::string(unit), where_of(clause), ratio};
}

}  // namespace

Json run_data(const results::Results& run) {
  const auto& session = run.session;
  const auto& print = run.fingerprint;
  Json json{{"file", std::filesystem::path(run.file).filename().string()},
            {"started", session.started},
            {"commit", session.commit},
            {"alpha", session.alpha},
            {"settings", compare::settings_of(session)},
            {"session",
             {{"suite", session.suite},
              {"device", session.device},
              {"units", session.units},
              {"looks", session.looks}}},
            {"fingerprint", {{"id", print.id}, {"hard", print.hard}, {"soft", print.soft}}},
            {"disturbance", disturbance(run)},
            {"rows", Json::array()}};
  for (const auto& row : run.rows) json["rows"].push_back(row_data(row, session.alpha));
  json["flags"] = run::flag_meanings(run.rows);
  json["summary"] = run::closing_lines(run.rows, run::advice(run));
  json["summary"].insert(json["summary"].begin(), run::verdict_counts(run.rows));
  json["gains"] = names_of(run::gains(run.rows, /*ladders=*/false));
  json["ladders"] = names_of(run::gains(run.rows, /*ladders=*/true));
  json["remarks"] = run::remarks(run.rows, run::advice(run));
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

std::vector<PublishedPair> published_pairs(std::string_view text) {
  std::vector<PublishedPair> pairs;
  while (!text.empty()) {
    const auto end = std::min(text.find(';'), text.size());
    if (auto pair = pair_of(text.substr(0, end))) pairs.push_back(std::move(*pair));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pairs;
}

namespace {

using compare::Alarm;
using Series = compare::History::Series;

/// Gives each text that it has not seen the next number.
class Numbers {
 public:
  std::size_t of(const std::string& text) {
    return numbers_.try_emplace(text, numbers_.size()).first->second;
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

/// The sessions of all rows in the order of time, which the rows then name by number.
class Sessions {
 public:
  explicit Sessions(std::span<const Series> all) {
    for (const auto& series : all)
      for (std::size_t i = 0; i < series.commits.size(); ++i) keys_.push_back(key(series, i));
    std::ranges::sort(keys_);
    keys_.erase(std::ranges::unique(keys_).begin(), keys_.end());
  }
  std::size_t of(const Series& series, std::size_t i) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(keys_, key(series, i)) - keys_.begin());
  }
  Json json() const {
    auto list = Json::array();
    Numbers machines, softwares;
    for (const auto& [started, machine, software, commit] : keys_)
      list.push_back({{"started", started},
                      {"commit", commit},
                      {"machine", machines.of(machine)},
                      {"software", softwares.of(software)}});
    return list;
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  static Key key(const Series& series, std::size_t i) {
    return {series.started[i], series.machine, series.software[i], series.commits[i]};
  }
  std::vector<Key> keys_;
};

/// Values of a row's logarithms, six digits.
Json column(const std::string& row, const std::vector<double>& logs) {
  auto list = Json::array();
  for (const auto given : logs) {
    const auto log = results::is_rate(row) ? -given : given;
    const auto scale = std::pow(10., 5 - std::floor(log / std::log(10.)));
    list.push_back(std::round(std::exp(log) * scale) / scale);
  }
  return list;
}

Json moves(const Series& series, std::span<const Alarm> alarms) {
  auto list = Json::array();
  for (const auto& alarm : alarms) {
    if (alarm.machine != series.machine || alarm.row != series.row) continue;
    const auto at = std::ranges::find(series.started, alarm.when) - series.started.begin();
    list.push_back({{"at", at},
                    {"ratio", alarm.ratio},
                    {"shown", results::as_printed(alarm.row, alarm.ratio)},
                    {"p", alarm.p},
                    {"both", alarm.both_forms}});
  }
  return list;
}

}  // namespace

Json history_data(std::span<const Series> all) {
  const Sessions sessions(all);
  const auto alarms = compare::alarms({all.begin(), all.end()});
  auto rows = Json::array();
  for (const auto& series : all) {
    auto at = Json::array();
    for (std::size_t i = 0; i < series.commits.size(); ++i) at.push_back(sessions.of(series, i));
    const auto words = compare::value_words(series.row);
    rows.push_back({{"name", series.row},
                    {"unit", words.unit},
                    {"less", words.less},
                    {"more", words.more},
                    {"at", std::move(at)},
                    {"naive", column(series.row, series.naive)},
                    {"optimized", column(series.row, series.optimized)},
                    {"moves", moves(series, alarms)}});
  }
  return {{"sessions", sessions.json()}, {"rows", std::move(rows)}};
}

Json history_data(const std::filesystem::path& file) {
  auto data = history_data(compare::History(file, compare::Database::Mode::read).series());
  data["file"] = file.filename().string();
  return data;
}

}  // namespace harness::pages
