#include "harness/simulate/host.hpp"

#include "harness/predict/price_book.hpp"
#include "harness/simulate/embedded.hpp"
#include "harness/simulate/units.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

namespace harness::simulate {
namespace {

constexpr double mebi = 1 << 20;

double seconds_of(const predict::PriceBook& book, const std::string& row, const std::string& file) {
  if (const auto price = book.row(row); price && price->middle > 0) return price->middle;
  throw BadInput(
      fmt::format("--host {}: the price list has no row {}; take it with tuneproof prices", file, row));
}

/// Bytes a second, in GB/s, of a row that is named by its size.
double rate_of(const predict::PriceBook& book, const std::string& row, const std::string& file) {
  constexpr double size = 256 * mebi;
  return size / seconds_of(book, row + "/bytes:256MiB", file) / giga;
}

void take_prices(Gpu& gpu, const std::string& file) {
  const auto json = parse_json(read_text(file, most_results_bytes), file);
  const auto book = predict::price_book_from(json, file);
  const auto copied = rate_of(book, "prices/memcpy", file);
  const auto dispatch = seconds_of(book, "prices/dispatch/host/add", file) / micro;
  gpu.values["staging_rate"] = copied;
  gpu.values["host_rate"] = 2 * copied;  // read and written
  gpu.values["touch_rate"] = rate_of(book, "prices/allocate/malloc_touched", file);
  gpu.values["host_operator"] = dispatch;
  gpu.values["operator"] = dispatch;
}

}  // namespace

std::vector<std::string> host_names() {
  const auto json = parse_json(gpus_json(), "gpus.json");
  std::vector<std::string> names;
  for (const auto& host : Field(json, "gpus.json")["hosts"].entries()) names.push_back(host["name"].text());
  return names;
}

void set_host(Gpu& gpu, const std::string& text) {
  const auto json = parse_json(gpus_json(), "gpus.json");
  for (const auto& host : Field(json, "gpus.json")["hosts"].entries()) {
    if (host["name"].text() != text) continue;
    for (const auto& [name, value] : host["values"].members())
      gpu.values[name] = value.entries().at(0).positive();
    return;
  }
  if (text.ends_with(".json") || text.ends_with(".json.gz")) return take_prices(gpu, text);
  const auto names = host_names();
  throw BadInput(fmt::format("--host {}: unknown class of hosts{}; known are {}, or a file of prices", text,
                             did_you_mean(text, names), fmt::join(names, ", ")));
}

}  // namespace harness::simulate
