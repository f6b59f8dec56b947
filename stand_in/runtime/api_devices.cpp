// Which devices there are, which is current, and how they reach each other.

#include "stand_in/runtime/api.hpp"
#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/kernel_table.hpp"
#include "stand_in/runtime/machine.hpp"

#include "error_names.inc"  // made at build time from CUDA's header
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>

using namespace stand_in;

namespace {

constexpr int version = CUDART_VERSION;

bool is_device_number(int device) { return device >= 0 && device < machine().count(); }

template <class Body>
cudaError_t on_device(const char* name, int device, const Body& body) {
  return run({.name = name}, [&] {
    if (!is_device_number(device)) return cudaErrorInvalidDevice;
    return body();
  });
}

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

cudaError_t cudaGetDeviceCount(int* out) {
  return run({.name = "cudaGetDeviceCount", .refusal = cudaErrorNoDevice, .needs_device = false}, [&] {
    load_companions();
    *out = machine().count();
    return cudaSuccess;
  });
}
cudaError_t cudaGetDevice(int* out) {
  return run({.name = "cudaGetDevice", .needs_device = false}, [&] {
    *out = this_thread().device;
    return cudaSuccess;
  });
}
cudaError_t cudaSetDevice(int device) {
  return on_device("cudaSetDevice", device, [&] {
    this_thread().device = device;
    return cudaSuccess;
  });
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return on_device("cudaInitDevice", device, [] { return cudaSuccess; });
}
cudaError_t cudaDeviceReset() {
  return run({.name = "cudaDeviceReset"}, [] {
    drain();
    return cudaSuccess;
  });
}
cudaError_t cudaSetDeviceFlags(unsigned) {
  return run({.name = "cudaSetDeviceFlags"}, [] { return cudaSuccess; });
}
cudaError_t cudaGetDeviceFlags(unsigned* out) {
  return run({.name = "cudaGetDeviceFlags"}, [&] {
    *out = cudaDeviceScheduleAuto;
    return cudaSuccess;
  });
}
cudaError_t cudaDriverGetVersion(int* out) {
  return run({.name = "cudaDriverGetVersion", .needs_device = false}, [&] {
    *out = version;
    return cudaSuccess;
  });
}
cudaError_t cudaRuntimeGetVersion(int* out) {
  return run({.name = "cudaRuntimeGetVersion", .needs_device = false}, [&] {
    *out = version;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetPCIBusId(char* out, int size, int device) {
  return on_device("cudaDeviceGetPCIBusId", device, [&] {
    std::snprintf(out, static_cast<std::size_t>(size), "0000:%02X:00.0", static_cast<unsigned>(device));
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetLimit(std::size_t* out, cudaLimit) {
  return run({.name = "cudaDeviceGetLimit"}, [&] {
    constexpr std::size_t stack = 1024;
    *out = stack;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) {
  return run({.name = "cudaDeviceSetLimit"}, [] { return cudaSuccess; });
}
cudaError_t cudaProfilerStart() {
  return run({.name = "cudaProfilerStart"}, [] { return cudaSuccess; });
}
cudaError_t cudaProfilerStop() {
  return run({.name = "cudaProfilerStop"}, [] { return cudaSuccess; });
}

cudaError_t cudaDeviceCanAccessPeer(int* out, int device, int peer) {
  return on_device("cudaDeviceCanAccessPeer", device, [&] {
    if (!is_device_number(peer)) return cudaErrorInvalidDevice;
    *out = device == peer ? 0 : 1;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return on_device("cudaDeviceEnablePeerAccess", peer, [&] {
    if (flags != 0) return cudaErrorInvalidValue;
    if (peer == this_thread().device) return cudaErrorInvalidDevice;
    return machine().set_peer(this_thread().device, peer, true);
  });
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return on_device("cudaDeviceDisablePeerAccess", peer,
                   [&] { return machine().set_peer(this_thread().device, peer, false); });
}

// What a device says of itself. Its sizes are an H200's, but for its memory, the few multiprocessors and the
// cache, which is a T4's: programs size their work by these, and it is the host that does the work.

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

cudaError_t cudaPeekAtLastError() {
  const auto lost = machine().lost();
  return lost == cudaSuccess ? this_thread().last_error : lost;
}

cudaError_t cudaGetLastError() {
  const auto last = cudaPeekAtLastError();
  this_thread().last_error = cudaSuccess;
  return last;
}

const char* cudaGetErrorName(cudaError_t error) {
  const auto* const found = std::ranges::find(error_names, error, &ErrorName::value);
  return found == std::end(error_names) ? "unrecognized error code" : found->name;
}

const char* cudaGetErrorString(cudaError_t error) {
  static constexpr std::pair<cudaError_t, const char*> words[] = {
      {cudaSuccess, "no error"},
      {cudaErrorInvalidValue, "invalid argument"},
      {cudaErrorMemoryAllocation, "out of memory"},
      {cudaErrorInvalidConfiguration, "invalid configuration argument"},
      {cudaErrorInvalidDevice, "invalid device ordinal"},
      {cudaErrorNoDevice, "no CUDA-capable device is detected"},
      {cudaErrorInvalidDeviceFunction, "invalid device function"},
      {cudaErrorInvalidResourceHandle, "invalid resource handle"},
      {cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"},
      {cudaErrorLaunchOutOfResources, "too many resources requested for launch"},
      {cudaErrorLaunchFailure, "unspecified launch failure"},
      {cudaErrorIllegalAddress, "an illegal memory access was encountered"},
      {cudaErrorAssert, "device-side assert triggered"},
      {cudaErrorNotReady, "device not ready"},
      {cudaErrorNotSupported, "operation not supported"},
      {cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"},
      {cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"},
  };
  const auto* const found = std::ranges::find(words, error, &std::pair<cudaError_t, const char*>::first);
  return found == std::end(words) ? cudaGetErrorName(error) : found->second;
}
