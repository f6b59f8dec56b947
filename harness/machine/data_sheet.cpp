#include "harness/machine/data_sheet.hpp"

#include <array>
#include <cstddef>

namespace harness::inline machine {
namespace {

/// 16 lanes of a generation of PCIe, in GB/s: harness/simulate/costs.json names the source.
double link_rate(double generation) {
  constexpr std::array rates{0.0, 4.0, 8.0, 15.7, 31.5, 63.0};
  const auto index = static_cast<std::size_t>(generation);
  return index < rates.size() ? rates[index] : 0;
}

}  // namespace

double sheet_value(const Field& sheet, std::string_view name) {
  const auto found = sheet.find(name);
  return found ? found->entries().at(0).positive() : 0;
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

}  // namespace harness::inline machine
