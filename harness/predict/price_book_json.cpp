// Google Benchmark's JSON, as `tuneproof prices --benchmark_out=FILE` writes it.
#include "harness/core/parse_number.hpp"
#include "harness/predict/price_book.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace harness::predict {
namespace {

constexpr int most_threads = 100'000;

double seconds_of_unit(const Field& unit) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};
  const auto text = unit.text();
  for (const auto& [name, seconds] : units)
    if (name == text) return seconds;
  unit.reject("'" + text + "' is not a unit of time");
}

/// Without how its clock is called.
std::string plain_name(std::string name) {
  for (const std::string_view clock : {"/real_time", "/manual_time"})
    if (name.ends_with(clock)) name.resize(name.size() - clock.size());
  return name;
}

bool is_repetition(const Field& row) {
  if (row.has("run_type") && row["run_type"].text() != "iteration") return false;
  return !row.has("error_occurred") || !row["error_occurred"].boolean();
}

void take(std::vector<PriceRow>& rows, const Field& row) {
  const auto name = plain_name(row[row.has("run_name") ? "run_name" : "name"].text());
  const double seconds = row["real_time"].number() * seconds_of_unit(row["time_unit"]);
  if (!(seconds >= 0)) row["real_time"].reject("expected a time of at least 0");
  auto found = std::ranges::find(rows, name, &PriceRow::name);
  if (found == rows.end()) found = rows.insert(rows.end(), {name, {}});
  found->seconds.push_back(seconds);
}

int threads_from(const Field& field) {
  const auto text = field.text();
  const auto threads = parse_number<int>(text);
  if (!threads || *threads < 1 || *threads > most_threads)
    field.reject("'" + text + "' is not a number of threads");
  return *threads;
}

PriceOrigin origin_of(const Field& context) {
  if (!context.has("fingerprint") || !context.has("threads"))
    context.reject(
        "the file does not say which machine its prices come from; write a new one with tuneproof prices");
  return {context["fingerprint"].text(), threads_from(context["threads"]), context["date"].text()};
}

}  // namespace

PriceBook price_book_from(const Json& json, const std::string& name) {
  const Field root(json, name);
  if (!root.has("context") || !root.has("benchmarks"))
    root.reject("this is not a price list; write one with tuneproof prices --benchmark_out=FILE");
  auto origin = origin_of(root["context"]);
  std::vector<PriceRow> rows;
  for (const auto& row : root["benchmarks"].entries())
    if (is_repetition(row)) take(rows, row);
  for (const auto& row : rows)
    if (row.seconds.size() < fewest_repetitions)
      throw BadInput(
          fmt::format("{}: {} was measured {} time{}, but an interval needs {} (--benchmark_repetitions={})",
                      name, row.name, row.seconds.size(), row.seconds.size() == 1 ? "" : "s",
                      fewest_repetitions, fewest_repetitions));
  return {std::move(origin), std::move(rows)};
}

}  // namespace harness::predict
