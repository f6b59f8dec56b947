// What a device says of itself. Its sizes are an H200's, but for its memory, the few multiprocessors and the
// cache, which is a T4's: programs size their work by these, and it is the host that does the work.
#include "stand_in/runtime/api.hpp"
#include "stand_in/runtime/call.hpp"

#include <cstdio>
#include <cstring>
#include <map>

using namespace stand_in;

namespace {

constexpr int kib = 1024;
constexpr int multiprocessors = 4;
constexpr int l2_bytes = 4 * kib * kib;
constexpr int threads_per_block = 1024;
constexpr int threads_per_multiprocessor = 2048;
constexpr int most_columns = 2147483647;
constexpr int most_rows = 65535;
constexpr int registers = 65536;

bool is_old() { return machine().settings.major < 8; }
int shared_per_block_opt_in() { return (is_old() ? 64 : 227) * kib; }
int shared_per_multiprocessor() { return (is_old() ? 64 : 228) * kib; }

const std::map<int, int>& fixed_attributes() {
  static const std::map<int, int> values = {
      {cudaDevAttrMaxThreadsPerBlock, threads_per_block},
      {cudaDevAttrMaxBlockDimX, threads_per_block},
      {cudaDevAttrMaxBlockDimY, threads_per_block},
      {cudaDevAttrMaxBlockDimZ, 64},
      {cudaDevAttrMaxGridDimX, most_columns},
      {cudaDevAttrMaxGridDimY, most_rows},
      {cudaDevAttrMaxGridDimZ, most_rows},
      {cudaDevAttrMaxSharedMemoryPerBlock, 48 * kib},
      {cudaDevAttrTotalConstantMemory, 64 * kib},
      {cudaDevAttrWarpSize, 32},
      {cudaDevAttrClockRate, 1'980'000},
      {cudaDevAttrMemoryClockRate, 3'201'000},
      {cudaDevAttrGlobalMemoryBusWidth, 6144},
      {cudaDevAttrMultiProcessorCount, multiprocessors},
      {cudaDevAttrL2CacheSize, l2_bytes},
      {cudaDevAttrMaxPersistingL2CacheSize, l2_bytes / 4 * 3},
      {cudaDevAttrMaxAccessPolicyWindowSize, 128 * kib * kib},
      {cudaDevAttrMaxRegistersPerBlock, registers},
      {cudaDevAttrMaxRegistersPerMultiprocessor, registers},
      {cudaDevAttrMaxThreadsPerMultiProcessor, threads_per_multiprocessor},
      {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
      {cudaDevAttrAsyncEngineCount, 3},
      {cudaDevAttrUnifiedAddressing, 1},
      {cudaDevAttrConcurrentKernels, 1},
      {cudaDevAttrCanMapHostMemory, 1},
      {cudaDevAttrStreamPrioritiesSupported, 1},
      {cudaDevAttrManagedMemory, 1},
      {cudaDevAttrConcurrentManagedAccess, 1},
      {cudaDevAttrHostRegisterSupported, 1},
      {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
      {cudaDevAttrMemoryPoolsSupported, 1},
      {cudaDevAttrCooperativeLaunch, 1},
      {cudaDevAttrComputeMode, cudaComputeModeDefault}};
  return values;
}

int attribute(int which, int device) {
  const auto& settings = machine().settings;
  switch (which) {
    case cudaDevAttrComputeCapabilityMajor:
      return settings.major;
    case cudaDevAttrComputeCapabilityMinor:
      return settings.minor;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return shared_per_block_opt_in();
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return shared_per_multiprocessor();
    case cudaDevAttrPciBusId:
      return device;
    default:
      break;
  }
  const auto found = fixed_attributes().find(which);
  return found == fixed_attributes().end() ? 0 : found->second;
}

void fill_limits(cudaDeviceProp& out) {
  out.sharedMemPerBlock = 48 * kib;
  out.sharedMemPerBlockOptin = static_cast<std::size_t>(shared_per_block_opt_in());
  out.sharedMemPerMultiprocessor = static_cast<std::size_t>(shared_per_multiprocessor());
  out.reservedSharedMemPerBlock = kib;
  out.regsPerBlock = out.regsPerMultiprocessor = registers;
  out.warpSize = 32;
  out.maxThreadsPerBlock = threads_per_block;
  out.maxThreadsDim[0] = out.maxThreadsDim[1] = threads_per_block;
  out.maxThreadsDim[2] = 64;
  out.maxGridSize[0] = most_columns;
  out.maxGridSize[1] = out.maxGridSize[2] = most_rows;
  out.totalConstMem = 64 * kib;
  out.maxThreadsPerMultiProcessor = threads_per_multiprocessor;
  out.maxBlocksPerMultiProcessor = 32;
  out.multiProcessorCount = multiprocessors;
  out.l2CacheSize = l2_bytes;
  out.memoryBusWidth = 6144;
}

void fill_abilities(cudaDeviceProp& out) {
  out.canMapHostMemory = out.unifiedAddressing = out.concurrentKernels = out.streamPrioritiesSupported = 1;
  out.managedMemory = out.concurrentManagedAccess = out.hostRegisterSupported = out.memoryPoolsSupported = 1;
  out.cooperativeLaunch = out.canUseHostPointerForRegisteredMem = out.computePreemptionSupported = 1;
  out.asyncEngineCount = 3;
}

}  // namespace

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* out, int device) {
  return run({.name = "cudaGetDeviceProperties"}, [&] {
    if (device < 0 || device >= machine().count()) return cudaErrorInvalidDevice;
    std::memset(out, 0, sizeof *out);
    std::snprintf(out->name, sizeof out->name, "%s", Settings::name);
    constexpr char made_up = 0x5a;
    std::memset(out->uuid.bytes, made_up + device, sizeof out->uuid.bytes);
    out->totalGlobalMem = machine().settings.memory;
    out->major = machine().settings.major;
    out->minor = machine().settings.minor;
    out->pciBusID = device;
    fill_limits(*out);
    fill_abilities(*out);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* out, cudaDeviceAttr which, int device) {
  return run({.name = "cudaDeviceGetAttribute"}, [&] {
    if (device < 0 || device >= machine().count()) return cudaErrorInvalidDevice;
    *out = attribute(which, device);
    return cudaSuccess;
  });
}
