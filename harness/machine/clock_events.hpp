// Why a device's clocks are as they are, asked over and over while it is measured.
#pragma once

#include "harness/machine/nvml_library.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace harness::inline machine {

/// Why a device's clocks are as they are now: bits of nvmlClocksEventReason.
inline std::optional<unsigned long long> clock_events_of(const NvmlLibrary& library, NvmlDevice* device) {
  return ask_nvml<unsigned long long>(library, "nvmlDeviceGetCurrentClocksThrottleReasons", device);
}

/// Watches one device. Where there is no NVML, or it does not know the device, nothing is known.
class ClockEvents {
 public:
  /// `bus_id`: as cudaDeviceGetPCIBusId gives it, since NVML counts devices that CUDA does not show.
  explicit ClockEvents(const std::string& bus_id, const std::string& library = nvml_name);
  ClockEvents(const ClockEvents&) = delete;
  ClockEvents& operator=(const ClockEvents&) = delete;
  ~ClockEvents();

  /// Bits of nvmlClocksEventReason: harness/core/disturbances.hpp reads them.
  std::optional<std::uint64_t> now() const;

 private:
  NvmlLibrary library_;
  bool begun_ = false;
  NvmlDevice* device_ = nullptr;
};

}  // namespace harness::inline machine
