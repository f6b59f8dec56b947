// NVIDIA's management library for the stand-in's devices. Quiet ones, but for the profile `busy`: other
// processes compute there, and the power limit slows them.
#include "stand_in/runtime/settings.hpp"

#include <array>
#include <cstdio>

namespace {

enum Result { success = 0, not_supported = 3, not_found = 6, insufficient_size = 7 };

struct Gpu {
  int index = 0;
};

const stand_in::Settings& settings() {
  static const auto all = stand_in::read_settings();
  return all;
}

int give(unsigned value, unsigned* out) {
  *out = value;
  return success;
}

template <class... What>
int print(char* out, unsigned size, const char* format, What... what) {
  std::snprintf(out, size, format, what...);
  return success;
}

Gpu* gpu(int index) {
  static std::array<Gpu, 2> all{Gpu{0}, Gpu{1}};
  return &all[static_cast<std::size_t>(index)];
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

int nvmlInit_v2() { return success; }
int nvmlShutdown() { return success; }
const char* nvmlErrorString(int) { return "not supported by the stand-in"; }
int nvmlSystemGetDriverVersion(char* out, unsigned size) { return print(out, size, "%s", "0.0 (stand-in)"); }
int nvmlSystemGetCudaDriverVersion_v2(int* out) {
  *out = 13000;
  return success;
}
int nvmlDeviceGetCount_v2(unsigned* out) { return give(static_cast<unsigned>(settings().devices), out); }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, Gpu** out) {
  if (index >= static_cast<unsigned>(settings().devices)) return not_found;
  *out = gpu(static_cast<int>(index));
  return success;
}
/// The domain has four digits or eight, as NVIDIA's library takes both.
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, Gpu** out) {
  unsigned domain = 0;
  unsigned number = 0;
  unsigned slot = 0;
  if (std::sscanf(bus, "%x:%x:%x.0", &domain, &number, &slot) != 3 || domain != 0 || slot != 0)
    return not_found;
  return nvmlDeviceGetHandleByIndex_v2(number, out);
}
int nvmlDeviceGetName(Gpu*, char* out, unsigned size) {
  return print(out, size, "%s", stand_in::Settings::name);
}
int nvmlDeviceGetUUID(Gpu* device, char* out, unsigned size) {
  return print(out, size, "GPU-stand-in-%d", device->index);
}
int nvmlDeviceGetClockInfo(Gpu*, int type, unsigned* out) { return give(type == 1 ? 1980 : 3201, out); }
int nvmlDeviceGetMaxClockInfo(Gpu*, int type, unsigned* out) { return give(type == 1 ? 1980 : 3201, out); }
int nvmlDeviceGetPowerUsage(Gpu*, unsigned* out) { return give(settings().busy ? 699'000 : 75'000, out); }
int nvmlDeviceGetEnforcedPowerLimit(Gpu*, unsigned* out) { return give(700'000, out); }
int nvmlDeviceGetTemperature(Gpu*, int, unsigned* out) { return give(settings().busy ? 84 : 31, out); }
int nvmlDeviceGetCurrPcieLinkGeneration(Gpu*, unsigned* out) { return give(5, out); }
int nvmlDeviceGetMaxPcieLinkGeneration(Gpu*, unsigned* out) { return give(5, out); }
int nvmlDeviceGetCurrPcieLinkWidth(Gpu*, unsigned* out) { return give(16, out); }
int nvmlDeviceGetMaxPcieLinkWidth(Gpu*, unsigned* out) { return give(16, out); }
int nvmlDeviceGetPersistenceMode(Gpu*, unsigned* out) { return give(1, out); }
int nvmlDeviceGetComputeRunningProcesses_v3(Gpu*, unsigned* count, void* list) {
  constexpr unsigned others = 3;
  *count = settings().busy ? others : 0;
  return *count > 0 && list == nullptr ? insufficient_size : success;
}
int nvmlDeviceGetComputeRunningProcesses(Gpu*, unsigned* count, void*) { return give(0, count); }
int nvmlDeviceGetUtilizationRates(Gpu*, unsigned* gpu_and_memory) {
  constexpr unsigned much = 97;
  gpu_and_memory[0] = gpu_and_memory[1] = settings().busy ? much : 0;
  return success;
}
int nvmlDeviceGetCurrentClocksEventReasons(Gpu*, unsigned long long* out) {
  constexpr unsigned long long power_cap = 0x4;
  constexpr unsigned long long idle = 0x1;
  *out = settings().busy ? power_cap : idle;
  return success;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(Gpu* device, unsigned long long* out) {
  return nvmlDeviceGetCurrentClocksEventReasons(device, out);
}
int nvmlDeviceGetEccMode(Gpu*, unsigned* now, unsigned* pending) { return give(1, pending), give(1, now); }
int nvmlDeviceGetMigMode(Gpu*, unsigned* now, unsigned* pending) { return give(0, pending), give(0, now); }
int nvmlDeviceGetGpuFabricInfoV(Gpu*, void*) { return not_supported; }
int nvmlDeviceGetNvLinkRemoteDeviceType(Gpu*, unsigned, void*) { return not_supported; }
int nvmlDeviceGetNvLinkRemotePciInfo_v2(Gpu*, unsigned, void*) { return not_supported; }
int nvmlDeviceGetP2PStatus(Gpu*, Gpu*, int, void*) { return not_supported; }

#pragma GCC visibility pop
}
