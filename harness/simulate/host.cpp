#include "harness/simulate/host.hpp"

#include "harness/simulate/embedded.hpp"
#include "harness/simulate/price_list.hpp"
#include "harness/simulate/units.hpp"
#include "harness/support/folder.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/read_json.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <map>

namespace harness::simulate {
namespace {

constexpr double mebi = 1 << 20;

constexpr auto copying = "prices/memcpy/bytes:256MiB";
constexpr auto touching = "prices/allocate/malloc_touched/bytes:256MiB";
constexpr auto dispatching = "prices/dispatch/host/add";

using Prices = std::map<std::string, double>;

double seconds_of(const Prices& prices, const std::string& row, const std::string& file) {
  const auto seconds = prices.at(row);
  if (!(seconds > 0) || !std::isfinite(seconds))
    throw BadInput(fmt::format("--host {}: the price of {} is not a time above 0", file, row));
  return seconds;
}

/// All that are missing in one sentence, so that they are measured in one go.
void require_prices(const Prices& prices, const std::string& file) {
  std::vector<std::string> missing;
  for (const auto* row : {copying, touching, dispatching})
    if (!prices.contains(row)) missing.emplace_back(row);
  if (!missing.empty())
    throw BadInput(fmt::format("--host {}: the price list lacks {}; take a list with tuneproof prices", file,
                               fmt::join(missing, ", ")));
}

void take_prices(Gpu& gpu, const std::string& file) {
  const auto json = read_json(file, most_results_bytes);
  const auto prices = prices_from(json, file);
  require_prices(prices, file);
  constexpr double size = 256 * mebi / giga;
  const auto copied = size / seconds_of(prices, copying, file);
  const auto dispatch = seconds_of(prices, dispatching, file) / micro;
  gpu.values["staging_rate"] = copied;
  gpu.values["host_rate"] = 2 * copied;  // read and written
  gpu.values["touch_rate"] = size / seconds_of(prices, touching, file);
  gpu.values["host_operator"] = dispatch;
  gpu.values["operator"] = dispatch;
}

}  // namespace

std::vector<std::string> host_names() {
  const auto json = parse_json(costs_json(), "costs.json");
  std::vector<std::string> names;
  for (const auto& host : Field(json, "costs.json")["hosts"].entries()) names.push_back(host["name"].text());
  return names;
}

void set_host(Gpu& gpu, const std::string& text) {
  const auto json = parse_json(costs_json(), "costs.json");
  for (const auto& host : Field(json, "costs.json")["hosts"].entries()) {
    if (host["name"].text() != text) continue;
    for (const auto& [name, value] : host["values"].members())
      gpu.values[name] = value.entries().at(0).positive();
    return;
  }
  if (is_json_name(text) || std::filesystem::exists(text)) return take_prices(gpu, text);
  const auto names = host_names();
  throw BadInput(fmt::format("--host {}: unknown class of hosts; known are {}, or a file of prices{}", text,
                             fmt::join(names, ", "), did_you_mean(text, names)));
}

}  // namespace harness::simulate
