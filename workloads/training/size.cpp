#include "workloads/training/size.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/terminal.hpp"

#include <cuda_runtime_api.h>

#include <c10/core/Device.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

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

namespace {

namespace caching = c10::cuda::CUDACachingAllocator;

/// A line of /proc/self/status, "VmHWM:   12345 kB", in bytes; 0 where there is none.
double status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return 1024 * std::atof(line.c_str() + name.size() + 1);
  return 0;
}

}  // namespace

double growth_by(const harness::Device& device, const std::function<void()>& run) {
  if (!device.is_cuda()) {
    const auto before = status_bytes("VmRSS");
    run();
    return status_bytes("VmHWM") - before;
  }
  run();
  const auto all = static_cast<std::size_t>(c10::CachingDeviceAllocator::StatType::AGGREGATE);
  return static_cast<double>(
      caching::getDeviceStats(static_cast<c10::DeviceIndex>(device.index)).reserved_bytes[all].peak);
}

std::int64_t largest_batch(std::int64_t guess, const std::function<bool(std::int64_t)>& fits) {
  constexpr std::int64_t most = std::int64_t{1} << 24;  // samples: more than any memory holds
  constexpr std::int64_t sixteenth = 16;
  auto good = std::clamp<std::int64_t>(guess, 1, most), bad = good;
  if (fits(good)) {
    do {
      good = bad;
      bad *= 2;
    } while (bad <= most && fits(bad));
  } else {
    do {
      bad = good;
      good /= 2;
    } while (good > 0 && !fits(good));
  }
  while (bad - good > std::max<std::int64_t>(1, good / sixteenth)) {
    const auto middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace workloads::training
