#include "harness/pages/measured_here.hpp"

#include "harness/machine/host.hpp"
#include "harness/run/row_view.hpp"
#include "harness/run/table_row.hpp"
#include "harness/support/field.hpp"
#include "harness/trace/intern.hpp"

#include <fmt/format.h>

#include <iterator>

namespace harness::pages {
namespace {

constexpr std::string_view folder = "prices/";

double seconds_in(const Field& row) {
  const auto unit = row.has("time_unit") ? row["time_unit"].text() : std::string("ns");
  for (const auto& [name, seconds] : {std::pair{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}})
    if (unit == name) return seconds;
  row["time_unit"].reject("is not a unit of time");
}

/// "prices/memcpy/bytes:1KiB/real_time" -> "memcpy/bytes:1KiB".
std::string bare_name(std::string name) {
  if (name.starts_with(folder)) name.erase(0, folder.size());
  for (const std::string_view end : {"/real_time", "/manual_time", "/process_time"})
    if (name.ends_with(end)) name.erase(name.size() - end.size());
  return name;
}

bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return name == pattern;
}

/// A name that is given may hold anything: it goes to a terminal.
std::string text_at(const Field& object, std::string_view name) {
  return object.has(name) ? trace::printable(object[name].text()) : std::string("unknown");
}

std::string gpu_text(const Field& machine) {
  if (!machine.has("gpu")) return "no GPU";
  const auto gpu = machine["gpu"];
  return gpu.has("name") ? trace::printable(gpu["name"].text()) : "a GPU";
}

std::string machine_text(const Field& machine) {
  return fmt::format("{}, {} CPUs, {}", text_at(machine, "cpu_model"),
                     machine.has("logical_cpus") ? machine["logical_cpus"].integer() : 0, gpu_text(machine));
}

bool is_other_machine(const Field& machine) {
  const auto host = read_host();
  return text_at(machine, "cpu_model") != host.cpu_model ||
         (machine.has("logical_cpus") && machine["logical_cpus"].integer() != host.logical_cpus);
}

LastResult result_of(const results::Row& row) {
  LastResult result{.row = row.name, .verdict = row.judged.verdict, .reason = trace::printable(row.reason)};
  const auto view = run::view_of(row);
  result.said = view.word;
  if (results::is_error(row) || !(row.judged.ratio > 0)) return result;  // no round gave a ratio
  result.ratio = row.judged.ratio;
  result.change = view.change;
  result.why =
      trace::printable(view.sentence + (view.sentence.empty() || view.note.empty() ? "" : "; ") + view.note);
  result.interval = row.judged.ratio_interval;
  result.naive = run::judged_text(row, row.naive_seconds);
  result.optimized = run::judged_text(row, results::shown_optimized(row));
  return result;
}

}  // namespace

ShownPrices read_shown_prices(const std::filesystem::path& file, results::StandIn stand_in) {
  const auto json = read_json(file, most_results_bytes);
  results::check_stand_in(results::on_stand_in(json), stand_in, file.string());
  const Field root(json, file.string());
  if (!root.has("context") || !root.has("benchmarks")) root.reject("is not a Google Benchmark file");
  const auto context = root["context"];
  ShownPrices prices{
      fmt::format("{}, {}, on {}", file.string(), text_at(context, "date"), text_at(context, "host_name")),
      {}};
  if (text_at(context, "whole") == "no")
    prices.from += ", not whole: it was stopped before its end, or is still being measured";
  if (const auto busy = busy_text(text_at(context, "other_cpu_share")); !busy.empty()) {
    prices.busy = "do not trust them: " + busy;
    prices.from += "; " + prices.busy;
  }
  std::map<std::string, std::size_t> places;
  for (const auto& row : root["benchmarks"].entries()) {
    const bool aggregate = row.has("run_type") && row["run_type"].text() == "aggregate";
    if (aggregate || row.has("error_message") || !row["name"].text().starts_with(folder)) continue;
    const auto seconds = row["real_time"].number() * seconds_in(row);
    if (!(seconds > 0)) continue;
    const auto rate = row.has("bytes_per_second") ? row["bytes_per_second"].number() : 0;
    ShownPrice price{trace::printable(bare_name(row["name"].text())), seconds, rate};
    const auto [place, is_first] = places.try_emplace(price.name, prices.rows.size());
    if (is_first)
      prices.rows.push_back(std::move(price));
    else if (auto& known = prices.rows[place->second]; seconds < known.seconds)
      known = std::move(price);  // of several repetitions the quickest: the price when nothing disturbs it
  }
  if (prices.rows.empty())
    root.reject("has no prices; write some with tuneproof prices --benchmark_out=FILE");
  return prices;
}

std::string_view prices_named_for(std::span<const StepPrices> table, std::string_view step) {
  const auto fits = [&](std::string_view steps) {
    return steps.starts_with('*') ? step.ends_with(steps.substr(1)) : step.starts_with(steps);
  };
  StepPrices longest;
  for (const auto& entry : table)
    if (fits(entry.steps) && entry.steps.size() >= longest.steps.size()) longest = entry;
  return longest.rows;
}

ShownPrices prices_bearing_on(const ShownPrices& all, std::span<const StepPrices> table,
                              std::string_view step) {
  auto rows = prices_named_for(table, step);
  ShownPrices found{all.from, {}};
  while (!rows.empty()) {
    const auto pattern = rows.substr(0, rows.find(' '));
    std::ranges::copy_if(all.rows, std::back_inserter(found.rows),
                         [&](const ShownPrice& row) { return matches(row.name, pattern); });
    rows.remove_prefix(std::min(pattern.size() + 1, rows.size()));
  }
  return found;
}

std::string machine_of(const results::Results& results) {
  const Field hard(results.fingerprint.hard, results.file + ": fingerprint.hard");
  const auto machine = hard["machine"];
  return machine_text(machine) + (is_other_machine(machine) ? " (ANOTHER MACHINE THAN THIS ONE)" : "");
}

std::vector<LastResult> results_of(const results::Results& results, const std::string& file,
                                   const catalogue::Step& step) {
  std::vector<LastResult> found;
  for (const auto& row : results.rows)
    if (row.step == step.id) found.push_back(result_of(row));
  if (found.empty()) return found;
  const Field hard(results.fingerprint.hard, file + ": fingerprint.hard");
  const auto machine = hard["machine"];
  const auto text = machine_text(machine);
  const bool other = is_other_machine(machine);
  for (auto& result : found) {
    result.from = file;
    result.started = trace::printable(results.session.started);
    result.commit = trace::printable(results.session.commit);
    result.machine = text;
    result.other_machine = other;
  }
  return found;
}

std::vector<LastResult> latest(std::vector<LastResult> all, const catalogue::Step& step) {
  std::ranges::stable_sort(all, std::ranges::greater(), &LastResult::started);
  std::vector<LastResult> found;
  for (const auto& row : step.rows)
    if (const auto last = std::ranges::find(all, row.name, &LastResult::row); last != all.end())
      found.push_back(*last);
  return found;
}

}  // namespace harness::pages
