#include "workloads/training/size.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/terminal.hpp"

#include <cuda_runtime_api.h>

#include <fmt/format.h>

#include <algorithm>

namespace workloads::training {
namespace {

std::optional<cudaDeviceProp> properties_of(const harness::Device& device) {
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, device.index) != cudaSuccess) return std::nullopt;
  return properties;
}

}  // namespace

double fitting_scale(double bytes, const Gigabytes& needed) {
  constexpr double giga = 1e9;
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (giga * needed[i] <= bytes) return device_scales[i];
  return device_scales.back();
}

double fitting_scale(const harness::Device& device, const Gigabytes& needed) {
  const auto properties = properties_of(device);
  return properties ? fitting_scale(static_cast<double>(properties->totalGlobalMem), needed) : 1;
}

double scale_for(const harness::Setup& setup, const Gigabytes& needed) {
  const auto given = setup.options.find("scale");
  if (given != setup.options.end()) return harness::parse_number<double>(given->second).value_or(1);
  if (!setup.device.is_cuda()) return 0;
  const auto properties = properties_of(setup.device);
  const bool computes_on_the_cpu = properties && harness::results::is_stand_in(properties->name);
  return computes_on_the_cpu ? 0 : fitting_scale(setup.device, needed);
}

std::int64_t side_at(double scale, std::int64_t side, std::int64_t step) {
  const auto steps = std::sqrt(scale) * static_cast<double>(side) / static_cast<double>(step);
  return step * std::max<std::int64_t>(1, std::llround(steps));
}

void tell_scale(harness::Setup& setup, const std::string& workload, double scale) {
  if (setup.options.contains("scale") || scale == 0 || scale == 1) return;
  setup.shared<bool>("told the scale of " + workload, [&] {
    harness::tell(fmt::format("{}: {} has memory for 1/{:.0f} of its size; --scale takes another", workload,
                              to_string(setup.device), 1 / scale));
    return true;
  });
}

}  // namespace workloads::training
