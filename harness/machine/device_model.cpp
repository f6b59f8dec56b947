#include "harness/machine/device_model.hpp"

#include "harness/machine/data_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

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

}  // namespace

std::optional<DeviceModel> device_model(const DeviceDescription& device) {
  const auto words = words_of(device.name);
  if (!may_have_a_sheet(words)) return std::nullopt;
  const auto slice = slice_of(words);
  constexpr double giga = 1e9;
  const double gb = slice                     ? slice->gb * 8 / slice->eighths()
                    : device.memory_bytes > 0 ? device.memory_bytes / giga
                                              : named_gb(words);
  const auto json = parse_json(gpus_json(), "gpus.json");
  const Field book(json, "gpus.json");
  std::optional<std::pair<Distance, Field>> nearest;
  for (const auto& sheet : book["gpus"].entries())
    if (const auto far = distance(sheet, words, gb); far && (!nearest || *far < nearest->first))
      nearest.emplace(*far, sheet);
  if (!nearest || (std::get<0>(nearest->first) && !slice)) return std::nullopt;
  auto model = read_sheet(nearest->second);
  model.source = sheet_sources(nearest->second, book["sources"]);
  return slice ? share_of(std::move(model), nearest->second, *slice, device.multiprocessors) : model;
}

}  // namespace harness::inline machine
