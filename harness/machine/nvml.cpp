#include "harness/machine/nvml.hpp"

#include "harness/support/signals.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace harness::inline machine {
namespace {

struct Utilization {
  unsigned gpu = 0;
  unsigned memory = 0;
};
struct PciInfo {
  char old_bus_id[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];  // "00000000:65:00.0"
};
struct ConfidentialState {
  unsigned environment = 0;
  unsigned feature = 0;
  unsigned tools = 0;
};
constexpr int insufficient_size = 7;  // the count is given, the list did not fit
constexpr int clock_sm = 1;
constexpr int clock_memory = 2;
constexpr int sensor_gpu = 0;

std::optional<unsigned> processes_of(const NvmlLibrary& library, NvmlDevice* device) {
  unsigned count = 0;
  void* const no_list = nullptr;
  const auto status = call_nvml(library, "nvmlDeviceGetComputeRunningProcesses_v3", device, &count, no_list);
  if (status != nvml_success && status != insufficient_size) return std::nullopt;
  return count;
}

/// The system's files name a device with four digits for its domain, NVML with eight.
std::string bus_id_of(const NvmlLibrary& library, NvmlDevice* device) {
  const auto info = ask_nvml<PciInfo>(library, "nvmlDeviceGetPciInfo_v3", device);
  std::string id =
      info ? std::string(info->bus_id, strnlen(info->bus_id, sizeof info->bus_id)) : std::string();
  constexpr std::size_t length = 12;
  if (id.size() > length) id.erase(0, id.size() - length);
  std::ranges::transform(id, id.begin(), [](unsigned char c) { return std::tolower(c); });
  return id;
}

GpuState state_of(const NvmlLibrary& library, NvmlDevice* device) {
  const auto number = [&](const char* name) { return ask_nvml(library, name, device); };
  GpuState gpu;
  char name[96] = {};
  if (call_nvml(library, "nvmlDeviceGetName", device, &name[0], 96U) == nvml_success) gpu.name = name;
  char uuid[96] = {};
  if (call_nvml(library, "nvmlDeviceGetUUID", device, &uuid[0], 96U) == nvml_success) gpu.uuid = uuid;
  gpu.sm_mhz = ask_nvml(library, "nvmlDeviceGetClockInfo", device, clock_sm);
  gpu.sm_max_mhz = ask_nvml(library, "nvmlDeviceGetMaxClockInfo", device, clock_sm);
  gpu.memory_mhz = ask_nvml(library, "nvmlDeviceGetClockInfo", device, clock_memory);
  gpu.memory_max_mhz = ask_nvml(library, "nvmlDeviceGetMaxClockInfo", device, clock_memory);
  gpu.power_mw = number("nvmlDeviceGetPowerUsage");
  gpu.power_limit_mw = number("nvmlDeviceGetEnforcedPowerLimit");
  gpu.temperature_c = ask_nvml(library, "nvmlDeviceGetTemperature", device, sensor_gpu);
  gpu.link_generation = number("nvmlDeviceGetCurrPcieLinkGeneration");
  gpu.link_max_generation = number("nvmlDeviceGetMaxPcieLinkGeneration");
  gpu.link_width = number("nvmlDeviceGetCurrPcieLinkWidth");
  gpu.link_max_width = number("nvmlDeviceGetMaxPcieLinkWidth");
  gpu.card_generation = number("nvmlDeviceGetGpuMaxPcieLinkGeneration");
  gpu.bus_id = bus_id_of(library, device);
  gpu.persistence = number("nvmlDeviceGetPersistenceMode");
  gpu.processes = processes_of(library, device);
  if (const auto used = ask_nvml<Utilization>(library, "nvmlDeviceGetUtilizationRates", device))
    gpu.utilization = used->gpu;
  gpu.slowdowns = clock_events_of(library, device);
  unsigned pending = 0;
  unsigned mode = 0;
  if (call_nvml(library, "nvmlDeviceGetEccMode", device, &mode, &pending) == nvml_success) gpu.ecc = mode;
  if (call_nvml(library, "nvmlDeviceGetMigMode", device, &mode, &pending) == nvml_success) gpu.mig = mode;
  return gpu;
}

}  // namespace

NvmlReport read_nvml(const std::string& name) {
  const HeldSignals held;  // threads that the driver's library starts may stay
  NvmlReport report;
  const auto library = load_nvml(name);
  if (!library) return report;
  report.loaded = true;
  if (const auto status = call_nvml(library, "nvmlInit_v2"); status != nvml_success) {
    using Words = const char* (*)(int);
    const auto words = reinterpret_cast<Words>(dlsym(library.get(), "nvmlErrorString"));
    report.error = words == nullptr ? "NVML error " + std::to_string(status) : words(status);
    return report;
  }
  char driver[96] = {};
  if (call_nvml(library, "nvmlSystemGetDriverVersion", &driver[0], 96U) == nvml_success)
    report.driver = driver;
  const auto confidential = ask_nvml<ConfidentialState>(library, "nvmlSystemGetConfComputeState");
  report.confidential = confidential && confidential->feature != 0;
  const auto count = ask_nvml(library, "nvmlDeviceGetCount_v2").value_or(0);
  for (unsigned i = 0; i < count; ++i)
    if (const auto device = ask_nvml<NvmlDevice*>(library, "nvmlDeviceGetHandleByIndex_v2", i))
      report.gpus.push_back(state_of(library, *device));
  call_nvml(library, "nvmlShutdown");
  return report;
}

ClockEvents::ClockEvents(const std::string& bus_id, const std::string& library)
    : library_(load_nvml(library)) {
  const HeldSignals held;  // as in read_nvml()
  begun_ = library_ && call_nvml(library_, "nvmlInit_v2") == nvml_success;
  if (begun_)
    device_ =
        ask_nvml<NvmlDevice*>(library_, "nvmlDeviceGetHandleByPciBusId_v2", bus_id.c_str()).value_or(nullptr);
}

ClockEvents::~ClockEvents() {
  if (begun_) call_nvml(library_, "nvmlShutdown");
}

std::optional<std::uint64_t> ClockEvents::now() const {
  if (device_ == nullptr) return std::nullopt;
  return clock_events_of(library_, device_);
}

bool cuda_driver_installed() {
  const HeldSignals held;  // as in nvml.cpp
  void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return false;
  dlclose(library);
  return true;
}

}  // namespace harness::inline machine
