#include "harness/machine/data_sheet.hpp"
#include "harness/machine/device_model.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/read_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace harness::inline machine {
namespace {

/// The highest rate of these rows; 0 where there are none.
double best_rate(const Field& rows, std::string_view prefix, std::string_view counter) {
  double best = 0;
  for (const auto& row : rows.entries())
    if (row["name"].text().starts_with(prefix) && row.has(counter) &&
        (row["run_type"].text() == "iteration" || row["aggregate_name"].text() == "median"))
      best = std::max(best, row[counter].positive());
  return best;
}

/// Of the triad over the largest arrays: smaller ones may lie in the cache.
double memory_rate(const Field& rows) {
  constexpr std::string_view triad = "prices/triad/device/bytes:";
  std::int64_t largest = 0;
  std::string prefix;
  for (const auto& row : rows.entries()) {
    const auto name = row["name"].text();
    if (!name.starts_with(triad)) continue;
    const auto text = name.substr(triad.size(), name.find('/', triad.size()) - triad.size());
    const auto size = parse_size(text);
    if (!size || *size <= largest) continue;
    largest = *size;
    prefix = std::string(triad) + text + "/";
  }
  return prefix.empty() ? 0 : best_rate(rows, prefix, "bytes_per_second");
}

/// Puts a number in the place of the sheet's, where there is one.
void replace(double& peak, double number) {
  if (number > 0) peak = number;
}

void take_prices(const Field& book, const std::string& file, const DeviceDescription& device,
                 DeviceModel& model) {
  if (const auto gpu = book["context"].find("gpu"); gpu && !device.name.empty() && gpu->text() != device.name)
    throw BadInput(
        fmt::format("{}: its prices are of {}, the trace is of {}", file, gpu->text(), device.name));
  const auto rows = book["benchmarks"];
  constexpr double giga = 1e9;
  constexpr double tera = 1e12;
  const double rate = memory_rate(rows) / giga;
  const auto product = [&](const std::string& type) {
    return best_rate(rows, "prices/product/device/" + type + "/", "FLOP/s") / tera;
  };
  const double fp32 = product("fp32");
  if (rate == 0 && fp32 == 0)
    throw BadInput(
        fmt::format("{}: it lacks prices/triad/device and prices/product/device; take them with "
                    "tuneproof prices on that GPU",
                    file));
  replace(model.bandwidth_gb_s, rate);
  replace(model.fp32_tflops, fp32);
  replace(model.tf32_tflops, product("tf32"));
  replace(model.fp16_tflops, product("fp16"));
  replace(model.bf16_tflops, product("bf16"));
  model.source = model.source.empty() ? "measured: " + file
                                      : fmt::format("measured: {}; what it lacks: {}", file, model.source);
}

void take_sheet(const Field& sheet, const std::string& file, DeviceModel& model) {
  const auto given = read_sheet(sheet);
  replace(model.bandwidth_gb_s, given.bandwidth_gb_s);
  replace(model.fp32_tflops, given.fp32_tflops);
  replace(model.tf32_tflops, given.tf32_tflops);
  replace(model.fp16_tflops, given.fp16_tflops);
  replace(model.bf16_tflops, given.bf16_tflops);
  model.name = given.name;
  model.source = model.source.empty() ? file : fmt::format("{}; what it lacks: {}", file, model.source);
}

}  // namespace

DeviceModel model_from_file(const std::string& file, const DeviceDescription& device) {
  constexpr std::uint64_t most_bytes = 64 << 20;
  const auto json = read_json(file, most_bytes);
  const Field given(json, file);
  auto model = device_model(device).value_or(DeviceModel{.name = device.name, .source = {}});
  if (given.has("benchmarks"))
    take_prices(given, file, device, model);
  else
    take_sheet(given, file, model);
  if (model.bandwidth_gb_s <= 0 || model.fp32_tflops <= 0)
    throw BadInput(fmt::format("{}: peaks need memory_rate and fp32 at least", file));
  return model;
}

}  // namespace harness::inline machine
