// What NVIDIA's management library knows of the GPUs: clocks, power, link, other processes. Loaded when asked
// for, so that the program runs where there is no driver.
#pragma once

#include <cstdint>
#include <dlfcn.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace harness::inline machine {

/// A field is empty where the library does not support it (virtual GPUs, MIG and WSL hide much).
struct GpuState {
  std::string name;
  std::optional<unsigned> sm_mhz, sm_max_mhz, memory_mhz, memory_max_mhz;
  std::optional<unsigned> power_mw, power_limit_mw, temperature_c;
  std::optional<unsigned> link_generation, link_max_generation, link_width, link_max_width;
  std::optional<unsigned> card_generation;      // the link's, if the card alone decided
  std::optional<unsigned> persistence;          // 0 or 1
  std::optional<unsigned> processes;            // that compute on it now
  std::optional<unsigned> utilization;          // percent of the last sample period
  std::optional<unsigned long long> slowdowns;  // bits of nvmlClocksEventReason
  std::optional<unsigned> ecc, mig;             // 0 or 1
  std::optional<std::string> uuid;
  std::string bus_id;  // as /sys writes it: "0000:65:00.0"; empty where it is not known
};

struct NvmlReport {
  bool loaded = false;  // the library is there: a driver is installed
  std::string error;    // what it said where it did not start
  std::string driver;
  bool confidential = false;  // confidential computing is on
  std::vector<GpuState> gpus;
};

/// Never throws.
NvmlReport read_nvml(const std::string& name = "libnvidia-ml.so.1");

// Calls into NVIDIA's management library, which is loaded when it is asked for.

constexpr auto nvml_name = "libnvidia-ml.so.1";

// The part of NVML's binary interface that is used here was written down from its reference manual: the
// header is a part of the CUDA toolkit that is often not installed, and the interface is frozen.
struct NvmlDevice;
constexpr int nvml_success = 0;

using NvmlLibrary = std::unique_ptr<void, int (*)(void*)>;

/// Null where it is not installed.
inline NvmlLibrary load_nvml(const std::string& name) {
  return {dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL), dlclose};
}

/// Calls the function of that name; gives the library's own "not found" where it has none.
template <class... Arguments>
int call_nvml(const NvmlLibrary& library, const char* name, Arguments... arguments) {
  constexpr int not_there = 13;  // NVML_ERROR_FUNCTION_NOT_FOUND
  using Function = int (*)(Arguments...);
  const auto function = reinterpret_cast<Function>(dlsym(library.get(), name));
  return function == nullptr ? not_there : function(arguments...);
}

/// A number that one call gives.
template <class Number = unsigned, class... Arguments>
std::optional<Number> ask_nvml(const NvmlLibrary& library, const char* name, Arguments... arguments) {
  Number value{};
  if (call_nvml(library, name, arguments..., &value) != nvml_success) return std::nullopt;
  return value;
}

// Why a device's clocks are as they are, asked over and over while it is measured.

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

/// False where no CUDA device can be found, since the driver's library is not there. Loads it, and starts
/// nothing.
bool cuda_driver_installed();

}  // namespace harness::inline machine
