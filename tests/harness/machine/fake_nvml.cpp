// A stand-in for NVIDIA's management library: two GPUs, the second of which supports next to nothing.
// As the driver's does, it leaves a thread behind.
#include <cstdio>
#include <cstring>
#include <thread>
#include <unistd.h>

namespace {

constexpr int success = 0;
constexpr int not_supported = 3;
constexpr int not_found = 6;
constexpr int insufficient_size = 7;
int gpus[2] = {0, 1};

bool supports(const int* device) { return device == &gpus[0]; }

int give(const int* device, unsigned value, unsigned* out) {
  if (!supports(device)) return not_supported;
  *out = value;
  return success;
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  static bool started = false;
  if (started) return success;
  started = true;
  std::thread([] {
    for (;;) pause();
  }).detach();
  return success;
}
int nvmlShutdown() { return success; }
const char* nvmlErrorString(int) { return "an error"; }
int nvmlSystemGetDriverVersion(char* out, unsigned size) {
  std::snprintf(out, size, "580.65.06");
  return success;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return success;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, int** device) {
  *device = &gpus[index];
  return success;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, int** device) {
  if (std::strcmp(bus_id, "0000:00:00.0") != 0) return not_found;
  *device = &gpus[0];
  return success;
}
struct FakePciInfo {
  char old_bus_id[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};
int nvmlDeviceGetPciInfo_v3(int* device, FakePciInfo* out) {
  if (!supports(device)) return not_supported;
  std::snprintf(out->bus_id, sizeof out->bus_id, "00000000:6A:00.0");
  return success;
}
int nvmlDeviceGetGpuMaxPcieLinkGeneration(int* device, unsigned* out) { return give(device, 6, out); }
int nvmlSystemGetConfComputeState(unsigned* environment_feature_tools) {
  environment_feature_tools[1] = 1;
  return success;
}
int nvmlDeviceGetName(int* device, char* out, unsigned size) {
  std::snprintf(out, size, "GPU %d", *device);
  return success;
}
int nvmlDeviceGetClockInfo(int* device, int type, unsigned* out) {
  return give(device, type == 1 ? 1410 : 1593, out);
}
int nvmlDeviceGetMaxClockInfo(int* device, int type, unsigned* out) {
  return give(device, type == 1 ? 1980 : 2619, out);
}
int nvmlDeviceGetPowerUsage(int* device, unsigned* out) { return give(device, 75400, out); }
int nvmlDeviceGetEnforcedPowerLimit(int* device, unsigned* out) { return give(device, 700000, out); }
int nvmlDeviceGetTemperature(int* device, int, unsigned* out) { return give(device, 31, out); }
int nvmlDeviceGetCurrPcieLinkGeneration(int* device, unsigned* out) { return give(device, 1, out); }
int nvmlDeviceGetMaxPcieLinkGeneration(int* device, unsigned* out) { return give(device, 5, out); }
int nvmlDeviceGetCurrPcieLinkWidth(int* device, unsigned* out) { return give(device, 16, out); }
int nvmlDeviceGetMaxPcieLinkWidth(int* device, unsigned* out) { return give(device, 16, out); }
int nvmlDeviceGetPersistenceMode(int* device, unsigned* out) { return give(device, 1, out); }
int nvmlDeviceGetComputeRunningProcesses_v3(int* device, unsigned* count, void*) {
  if (!supports(device)) return not_supported;
  *count = 3;
  return insufficient_size;
}
int nvmlDeviceGetUtilizationRates(int* device, unsigned* gpu_and_memory) {
  if (!supports(device)) return not_supported;
  gpu_and_memory[0] = 42;
  gpu_and_memory[1] = 7;
  return success;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(int* device, unsigned long long* out) {
  if (!supports(device)) return not_supported;
  *out = 0x4;
  return success;
}
int nvmlDeviceGetEccMode(int* device, unsigned* now, unsigned* pending) {
  *pending = 0;
  return give(device, 1, now);
}
// nvmlDeviceGetMigMode is missing, as in the libraries of older drivers.
}
