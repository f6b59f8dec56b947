#include "harness/pages/history_data.hpp"

#include <cmath>
#include <tuple>
#include <utility>

namespace harness::pages {
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
