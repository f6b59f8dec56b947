#include "workloads/training/growth.hpp"

#include <c10/core/Device.h>
#include <c10/cuda/CUDACachingAllocator.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace workloads::training {
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
  constexpr std::int64_t most = std::int64_t{1} << 24;  // samples: nobody's memory holds more
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
