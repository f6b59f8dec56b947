// Which devices there are, which is current, and how they reach each other.
#include "stand_in/runtime/api.hpp"
#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/launch.hpp"
#include "stand_in/runtime/thread_state.hpp"

#include <cstdio>

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
