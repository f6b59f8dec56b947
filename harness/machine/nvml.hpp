// What NVIDIA's management library knows of the GPUs: clocks, power, link, other processes. Loaded when asked
// for, so that the program runs where there is no driver.
#pragma once

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

}  // namespace harness::inline machine
