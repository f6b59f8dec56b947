#include "prices/curves.hpp"

#include "harness/core/median.hpp"
#include "harness/core/parse_number.hpp"
#include "harness/support/quantity.hpp"

#include "prices/health.hpp"
#include "prices/price_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

namespace prices {
namespace {

using harness::Field;
using harness::Json;

constexpr std::string_view family = "prices/";

double seconds_in(const Field& row) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}}};
  const auto unit = row["time_unit"];
  const auto found = std::ranges::find(units, unit.text(), &std::pair<std::string_view, double>::first);
  if (found == units.end()) unit.reject("no unit of time");
  return found->second;
}

double counter(const Field& row, std::string_view name) { return row.has(name) ? row[name].number() : 0; }

bool has_time(const Field& row) {
  return !row.has("error_occurred") && !row.has("error_message") && !row.has("skipped") &&
         row["run_type"].text() != "aggregate";
}

Json curve_data(std::span<const Timed> times, std::string_view rows) {
  Json curve{{"rows", rows}, {"points", Json::array()}, {"line", nullptr}, {"batching_up_to", nullptr}};
  for (const auto& time : times) curve["points"].push_back({time.bytes, harness::finite(time.seconds)});
  if (const auto line = fit(times); line && line->worst <= most_off)
    curve["line"] = {{"start", line->start}, {"per_byte", line->per_byte}, {"worst", line->worst}};
  if (const auto up_to = batching_pays(times)) curve["batching_up_to"] = *up_to;
  return curve;
}

Json curves_of(std::span<const Price> prices) {
  auto curves = Json::array();
  for (const auto& [rows, of_rows] : by_size(prices))
    if (const auto times = PriceList(of_rows).times(rows); times.size() > 1)
      curves.push_back(curve_data(times, rows));
  return curves;
}

/// The sheet of the GPU that the prices are of.
std::optional<harness::DeviceModel> sheet_of(const Json& context) {
  const auto text = [&](const char* name) { return context.value(name, std::string()); };
  if (!context.contains("gpu")) return std::nullopt;
  return harness::device_model(
      {.name = text("gpu"),
       .multiprocessors = harness::parse_number<int>(text("gpu_multiprocessors")).value_or(0),
       .memory_bytes = harness::parse_number<double>(text("gpu_memory_bytes")).value_or(0)});
}

Json context_of(const Field& root) {
  auto context = Json::object();
  for (const auto& [name, value] : root["context"].members())
    if (value.json().is_string()) context[name] = value.text();
  return context;
}

/// What it says of how good its machine is, a sentence each without its full stop; of a busy machine that
/// alone.
std::vector<std::string> health_of(const Json& data) {
  if (auto busy = data["busy"].get<std::string>(); !busy.empty()) {
    busy.pop_back();  // whoever quotes it ends it
    return {busy};
  }
  std::vector<std::string> lines;
  if (data["context"].value("whole", std::string()) == "no")
    lines.emplace_back("This list is not whole: it was stopped before its end, or is still being measured");
  for (const auto about : {other_machines_line, products_line, cliffs_line})
    for (const auto& line : data["balance"])
      if (line["about"] == about && !line["said"].empty() && line["said"][0] != "none")
        lines.push_back(fmt::format("{}{}", about == cliffs_line ? std::string(about) + ": " : "",
                                    fmt::join(line["said"].get<std::vector<std::string>>(), "; ")));
  return lines;
}

/// The rows of such a file, of repetitions the median. Throws BadInput, naming the field.
std::vector<Price> prices_of(const Field& root) {
  struct Repetitions {
    std::vector<double> seconds, bytes, flop;
  };
  std::vector<std::string> order;
  std::map<std::string, Repetitions> rows;
  for (const auto& row : root["benchmarks"].entries()) {
    if (!has_time(row)) continue;
    const auto name = plain_name(row.has("run_name") ? row["run_name"].text() : row["name"].text());
    if (!rows.contains(name)) order.push_back(name);
    auto& all = rows[name];
    all.seconds.push_back(row["real_time"].number() * seconds_in(row));
    all.bytes.push_back(counter(row, "bytes_per_second"));
    all.flop.push_back(counter(row, "FLOP/s"));
  }
  std::vector<Price> prices;
  for (const auto& name : order) {
    const auto& all = rows[name];
    prices.push_back({.name = name,
                      .seconds = harness::median(all.seconds),
                      .bytes_per_second = harness::median(all.bytes),
                      .flop_per_second = harness::median(all.flop)});
  }
  return prices;
}

}  // namespace

bool is_price_file(const Json& root) {
  if (!root.is_object() || root.contains("tuneproof") || !root.contains("benchmarks")) return false;
  const auto& rows = root["benchmarks"];
  return rows.is_array() && !rows.empty() && rows[0].is_object() && rows[0].contains("name") &&
         rows[0]["name"].is_string() && rows[0]["name"].get<std::string>().starts_with(family);
}

Json curves_data(const Field& root) {
  const auto prices = prices_of(root);
  auto context = context_of(root);
  const auto share = context.value("other_cpu_share", std::string());
  Json data{{"context", std::move(context)},
            {"busy", busy_sentence(share)},
            {"prices", Json::array()},
            {"curves", curves_of(prices)},
            {"balance", Json::array()}};
  for (const auto& price : prices)
    data["prices"].push_back({{"name", price.name},
                              {"seconds", harness::finite(price.seconds)},
                              {"bytes_per_second", harness::finite(price.bytes_per_second)}});
  for (const auto& line : balance_of(prices, sheet_of(data["context"]), share))
    data["balance"].push_back({{"about", line.about}, {"said", line.said}, {"from", line.from}});
  data["health"] = health_of(data);
  return data;
}

std::vector<std::string> machine_lines(const std::filesystem::path& file, std::string_view place) {
  const auto json = harness::read_json(file, harness::most_results_bytes);
  if (!is_price_file(json)) return {};
  const auto data = curves_data(harness::Field(json, file.string()));
  if (data["context"].value("fingerprint", std::string()) != place) return {};
  return data["health"].get<std::vector<std::string>>();
}

}  // namespace prices
