#include "harness/machine/nvml.hpp"

#include <dlfcn.h>
#include <memory>

namespace harness {
namespace {

// The part of NVML's binary interface that is used here, written down from its reference manual: the header
// is a part of the CUDA toolkit that is often not installed, and the interface is frozen.
struct NvmlDevice;
struct Utilization {
  unsigned gpu = 0;
  unsigned memory = 0;
};
constexpr int success = 0;
constexpr int insufficient_size = 7;  // the count is given, the list did not fit
constexpr int clock_sm = 1;
constexpr int clock_memory = 2;
constexpr int sensor_gpu = 0;

using Library = std::unique_ptr<void, int (*)(void*)>;

/// Calls the function of that name; `not_there` where the library has none.
template <class... Arguments>
int call(const Library& library, const char* name, Arguments... arguments) {
  constexpr int not_there = 13;  // NVML_ERROR_FUNCTION_NOT_FOUND
  using Function = int (*)(Arguments...);
  const auto function = reinterpret_cast<Function>(dlsym(library.get(), name));
  return function == nullptr ? not_there : function(arguments...);
}

/// A number that one call gives.
template <class Number = unsigned, class... Arguments>
std::optional<Number> ask(const Library& library, const char* name, Arguments... arguments) {
  Number value{};
  if (call(library, name, arguments..., &value) != success) return std::nullopt;
  return value;
}

std::optional<unsigned> processes_of(const Library& library, NvmlDevice* device) {
  unsigned count = 0;
  void* const no_list = nullptr;
  const auto status = call(library, "nvmlDeviceGetComputeRunningProcesses_v3", device, &count, no_list);
  if (status != success && status != insufficient_size) return std::nullopt;
  return count;
}

GpuState state_of(const Library& library, NvmlDevice* device) {
  const auto number = [&](const char* name) { return ask(library, name, device); };
  GpuState gpu;
  char name[96] = {};
  if (call(library, "nvmlDeviceGetName", device, &name[0], 96U) == success) gpu.name = name;
  char uuid[96] = {};
  if (call(library, "nvmlDeviceGetUUID", device, &uuid[0], 96U) == success) gpu.uuid = uuid;
  gpu.sm_mhz = ask(library, "nvmlDeviceGetClockInfo", device, clock_sm);
  gpu.sm_max_mhz = ask(library, "nvmlDeviceGetMaxClockInfo", device, clock_sm);
  gpu.memory_mhz = ask(library, "nvmlDeviceGetClockInfo", device, clock_memory);
  gpu.memory_max_mhz = ask(library, "nvmlDeviceGetMaxClockInfo", device, clock_memory);
  gpu.power_mw = number("nvmlDeviceGetPowerUsage");
  gpu.power_limit_mw = number("nvmlDeviceGetEnforcedPowerLimit");
  gpu.temperature_c = ask(library, "nvmlDeviceGetTemperature", device, sensor_gpu);
  gpu.link_generation = number("nvmlDeviceGetCurrPcieLinkGeneration");
  gpu.link_max_generation = number("nvmlDeviceGetMaxPcieLinkGeneration");
  gpu.link_width = number("nvmlDeviceGetCurrPcieLinkWidth");
  gpu.link_max_width = number("nvmlDeviceGetMaxPcieLinkWidth");
  gpu.persistence = number("nvmlDeviceGetPersistenceMode");
  gpu.processes = processes_of(library, device);
  if (const auto used = ask<Utilization>(library, "nvmlDeviceGetUtilizationRates", device))
    gpu.utilization = used->gpu;
  gpu.slowdowns = ask<unsigned long long>(library, "nvmlDeviceGetCurrentClocksThrottleReasons", device);
  unsigned pending = 0;
  unsigned mode = 0;
  if (call(library, "nvmlDeviceGetEccMode", device, &mode, &pending) == success) gpu.ecc = mode;
  if (call(library, "nvmlDeviceGetMigMode", device, &mode, &pending) == success) gpu.mig = mode;
  return gpu;
}

}  // namespace

NvmlReport read_nvml(const std::string& name) {
  NvmlReport report;
  const Library library(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL), dlclose);
  if (!library) return report;
  report.loaded = true;
  if (const auto status = call(library, "nvmlInit_v2"); status != success) {
    using Words = const char* (*)(int);
    const auto words = reinterpret_cast<Words>(dlsym(library.get(), "nvmlErrorString"));
    report.error = words == nullptr ? "NVML error " + std::to_string(status) : words(status);
    return report;
  }
  char driver[96] = {};
  if (call(library, "nvmlSystemGetDriverVersion", &driver[0], 96U) == success) report.driver = driver;
  const auto count = ask(library, "nvmlDeviceGetCount_v2").value_or(0);
  for (unsigned i = 0; i < count; ++i)
    if (const auto device = ask<NvmlDevice*>(library, "nvmlDeviceGetHandleByIndex_v2", i))
      report.gpus.push_back(state_of(library, *device));
  call(library, "nvmlShutdown");
  return report;
}

}  // namespace harness
