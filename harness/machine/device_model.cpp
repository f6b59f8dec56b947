#include "harness/machine/device_model.hpp"

#include "harness/machine/host.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <utility>

namespace harness::inline machine {
namespace {

/// "NVIDIA A100-SXM4-80GB MIG 1g.10gb" -> nvidia, a100, sxm4, 80gb, mig, 1g, 10gb.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// AMD and others have an "L4" or an "A10" of their own; NVIDIA says who it is. The last words name cards
/// with rates of their own.
bool may_have_a_sheet(const std::vector<std::string>& words) {
  const auto any = [&](std::initializer_list<std::string_view> some) {
    return std::ranges::any_of(some, [&](auto word) { return has(words, word); });
  };
  return any({"nvidia", "tesla", "geforce", "instinct"}) &&
         !any({"ti", "d", "super", "laptop", "max", "vgpu", "grid"});
}

/// The slice of a GPU (MIG) that the driver names "MIG 3g.40gb", or a part of it: "MIG 1c.3g.40gb".
struct Slice {
  std::string profile;
  double sevenths = 0;  // of the multiprocessors
  double gb = 0;
  double eighths() const { return sevenths < 3 ? sevenths : sevenths < 5 ? 4 : 8; }  // of the memory
};

std::optional<Slice> slice_of(const std::vector<std::string>& words) {
  auto mig = std::ranges::find(words, "mig");
  if (words.end() - mig > 3 && mig[1].ends_with('c')) ++mig;
  if (words.end() - mig < 3 || !mig[1].ends_with('g') || !mig[2].ends_with("gb")) return std::nullopt;
  return Slice{mig[1] + "." + mig[2], std::strtod(mig[1].c_str(), nullptr),
               std::strtod(mig[2].c_str(), nullptr)};
}

/// "80gb" -> 80; 0 where the name has no such word.
double named_gb(const std::vector<std::string>& words) {
  const auto found = std::ranges::find_if(words, [](const auto& word) { return word.ends_with("gb"); });
  return found == words.end() ? 0 : std::strtod(found->c_str(), nullptr);
}

/// How far a sheet is from the device: its memory differs; fewer words of the name; how much the memory
/// differs.
using Distance = std::tuple<bool, std::ptrdiff_t, double>;

std::optional<Distance> distance(const Field& sheet, const std::vector<std::string>& words, double gb) {
  const auto device = sheet.find("device");
  if (!device) return std::nullopt;
  const auto match = words_of((*device)["match"].text());
  if (!std::ranges::all_of(match, [&](const auto& word) { return has(words, word); })) return std::nullopt;
  constexpr double same = 0.3;  // as a logarithm: 80 GB are 85.9 GB to a driver, less what it keeps
  const auto memory = device->find("memory");
  const double apart = memory && gb > 0 ? std::abs(std::log(gb / memory->positive())) : 0;
  return Distance{apart > same, -std::ssize(match), apart};
}

/// The sheet of so much memory whose name is the device's; nothing where none has it.
std::optional<Field> nearest_sheet(const Field& book, const std::vector<std::string>& words, double gb,
                                   bool of_any_memory = false) {
  std::optional<std::pair<Distance, Field>> nearest;
  for (const auto& sheet : book["gpus"].entries())
    if (const auto far = distance(sheet, words, gb); far && (!nearest || *far < nearest->first))
      nearest.emplace(*far, sheet);
  if (!nearest || (std::get<0>(nearest->first) && !of_any_memory)) return std::nullopt;
  return nearest->second;
}

/// How many eighths of a GPU's memory the slice is, for the sheet of that name of which it is nearest to a
/// whole number of them: "1g.24gb" is 2 of 96 GB, and 1.33 of 144 GB. Where several fit, its usual number.
double whole_eighths(const Field& book, const std::vector<std::string>& words, const Slice& slice) {
  constexpr double rounding = 0.15;
  double nearest = slice.eighths();
  double least = std::numeric_limits<double>::infinity();
  for (const auto& sheet : book["gpus"].entries()) {
    if (!distance(sheet, words, 0) || !sheet["device"].has("memory")) continue;
    const double eighths = 8 * slice.gb / sheet["device"]["memory"].positive();
    const double apart = std::abs(eighths - std::round(eighths));
    const double unusual = std::abs(eighths - slice.eighths());
    if (apart > rounding || unusual >= least) continue;
    least = unusual;
    nearest = std::round(eighths);
  }
  return nearest;
}

/// Of the whole GPU: by the memory in its own name, "A100-SXM4-40GB MIG 1g.10gb". A GH200 has its processor's
/// memory there, and most names have none: then by what the slice leaves to the others.
std::optional<Field> sheet_of_slice(const Field& book, const std::vector<std::string>& words,
                                    const Slice& slice) {
  const double named = named_gb({words.begin(), std::ranges::find(words, "mig")});
  if (named > 0)
    if (const auto found = nearest_sheet(book, words, named)) return found;
  const double eighths = whole_eighths(book, words, slice);
  return nearest_sheet(book, words, slice.gb * 8 / eighths, true);
}

/// What the slice has of its GPU: of the multiprocessors as the driver counts them, where it does.
DeviceModel share_of(DeviceModel model, const Field& sheet, const Slice& slice, int multiprocessors) {
  const auto all = sheet_value(sheet, "multiprocessors");
  const double units =
      multiprocessors > 0 && multiprocessors < all ? multiprocessors / all : slice.sevenths / 7;
  const auto memory = sheet["device"].find("memory");
  const double rate =
      memory ? std::clamp(std::round(8 * slice.gb / memory->positive()), 1.0, 8.0) / 8 : slice.eighths() / 8;
  model.name += ", MIG " + slice.profile;
  model.bandwidth_gb_s *= rate;
  for (auto* peak : {&model.fp32_tflops, &model.tf32_tflops, &model.fp16_tflops, &model.bf16_tflops})
    *peak *= units;
  model.source +=
      fmt::format(" (the slice's share: {:.1f} % of the multiprocessors, {:.1f} % of the memory's rate)",
                  100 * units, 100 * rate);
  return model;
}

/// 16 lanes of a generation of PCIe, in GB/s: harness/simulate/costs.json names the source.
double link_rate(double generation) {
  constexpr std::array rates{0.0, 4.0, 8.0, 15.7, 31.5, 63.0};
  return generation < rates.size() ? rates[static_cast<std::size_t>(generation)] : 0;
}

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
  auto measured = "measured: " + file;
  if (const auto share = book["context"].find("other_cpu_share"))
    if (const auto busy = busy_text(share->text()); !busy.empty())
      measured += fmt::format(" (do not trust it: {})", busy);
  model.source =
      model.source.empty() ? measured : fmt::format("{}; what it lacks: {}", measured, model.source);
}

void take_sheet(const Field& sheet, const std::string& file, DeviceModel& model) {
  const auto given = read_sheet(sheet);
  if (given.bandwidth_gb_s <= 0 && given.fp32_tflops <= 0 && given.tf32_tflops <= 0 && given.fp16_tflops <= 0)
    throw BadInput(fmt::format("{}: has none of memory_rate, fp32, tf32 and fp16", file));
  replace(model.bandwidth_gb_s, given.bandwidth_gb_s);
  replace(model.fp32_tflops, given.fp32_tflops);
  replace(model.tf32_tflops, given.tf32_tflops);
  replace(model.fp16_tflops, given.fp16_tflops);
  replace(model.bf16_tflops, given.bf16_tflops);
  model.name = given.name;
  model.source = model.source.empty() ? file : fmt::format("{}; what it lacks: {}", file, model.source);
}

}  // namespace

std::optional<DeviceModel> device_model(const DeviceDescription& device) {
  const auto words = words_of(device.name);
  if (!may_have_a_sheet(words)) return std::nullopt;
  const auto json = parse_json(gpus_json(), "gpus.json");
  const Field book(json, "gpus.json");
  const auto slice = slice_of(words);
  constexpr double giga = 1e9;
  const double gb = device.memory_bytes > 0 ? device.memory_bytes / giga : named_gb(words);
  const auto sheet = slice ? sheet_of_slice(book, words, *slice) : nearest_sheet(book, words, gb);
  if (!sheet) return std::nullopt;
  auto model = read_sheet(*sheet);
  model.source = sheet_sources(*sheet, book["sources"]);
  return slice ? share_of(std::move(model), *sheet, *slice, device.multiprocessors) : model;
}

double sheet_value(const Field& sheet, std::string_view name) {
  const auto found = sheet.find(name);
  if (!found) return 0;
  const auto parts = found->entries();
  if (parts.size() != 2) found->reject("expected [value, source]");
  return parts[0].positive();
}

std::string sheet_sources(const Field& sheet, const Field& sources) {
  std::string all;
  for (const auto* name : {"memory_rate", "fp32", "tf32", "fp16"})
    if (const auto found = sheet.find(name)) {
      const auto source = sources[found->entries().at(1).text()].text();
      if (all.find(source) == all.npos) all += (all.empty() ? "" : "; ") + source;
    }
  return all;
}

DeviceModel read_sheet(const Field& sheet) {
  const auto fp16 = sheet_value(sheet, "fp16");
  constexpr double first_with_bf16 = 8.0;
  const auto capability = sheet_value(sheet, "compute_capability");
  return {.name = sheet["title"].text(),
          .bandwidth_gb_s = sheet_value(sheet, "memory_rate"),
          .fp32_tflops = sheet_value(sheet, "fp32"),
          .tf32_tflops = sheet_value(sheet, "tf32"),
          .fp16_tflops = fp16,
          .bf16_tflops = capability > 0 && capability < first_with_bf16 ? 0 : fp16,
          .link_gb_s = link_rate(sheet_value(sheet, "link_generation")),
          .source = {}};
}

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
