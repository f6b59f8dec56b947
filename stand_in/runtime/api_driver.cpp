// The driver's functions, as far as LibTorch asks for them by name.
#include "stand_in/runtime/api.hpp"
#include "stand_in/runtime/call.hpp"

#include <cstdio>
#include <iterator>
#include <string_view>

using namespace stand_in;

namespace {

// CUresult's values are those of cudaError_t where both have the error.
int not_supported() { return cudaErrorNotSupported; }
int succeed() { return cudaSuccess; }
int error_words(int error, const char** out) {
  *out = cudaGetErrorString(static_cast<cudaError_t>(error));
  return cudaSuccess;
}
int error_name(int error, const char** out) {
  *out = cudaGetErrorName(static_cast<cudaError_t>(error));
  return cudaSuccess;
}
int context_state(int, unsigned* flags, int* active) {
  *flags = 0;
  *active = 1;
  return cudaSuccess;
}
/// A context is its device's number, and one more.
int current_context(void** out) {
  *out = reinterpret_cast<void*>(static_cast<std::uintptr_t>(this_thread().device) + 1);
  return cudaSuccess;
}
int retain_context(void** out, int device) {
  *out = reinterpret_cast<void*>(static_cast<std::uintptr_t>(device) + 1);
  return cudaSuccess;
}
int set_context(void* context) {
  return context == nullptr ? cudaSuccess
                            : cudaSetDevice(static_cast<int>(reinterpret_cast<std::uintptr_t>(context)) - 1);
}
int get_device(int* out, int ordinal) {
  *out = ordinal;
  return ordinal < machine().count() ? cudaSuccess : cudaErrorInvalidDevice;
}
int get_attribute(int* out, int which, int device) {
  return cudaDeviceGetAttribute(out, static_cast<cudaDeviceAttr>(which), device);
}

struct Entry {
  std::string_view name;
  void* function;
};

template <class Function>
Entry entry(std::string_view name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

/// The function of that name; one that is not there says so when it is asked for, and fails when it is
/// called.
void* stand_in_driver_entry(const char* name) {
  static const Entry entries[] = {entry("cuInit", succeed),
                                  entry("cuGetErrorString", error_words),
                                  entry("cuGetErrorName", error_name),
                                  entry("cuDeviceGet", get_device),
                                  entry("cuDeviceGetCount", cudaGetDeviceCount),
                                  entry("cuDeviceGetAttribute", get_attribute),
                                  entry("cuDevicePrimaryCtxGetState", context_state),
                                  entry("cuDevicePrimaryCtxRetain", retain_context),
                                  entry("cuCtxGetCurrent", current_context),
                                  entry("cuCtxSetCurrent", set_context)};
  const std::string_view wanted = name;
  for (const auto& one : entries)
    if (one.name == wanted) return one.function;
  machine().record.trace("the driver's " + std::string(name) + " is not there");
  return reinterpret_cast<void*>(not_supported);
}

/// What the runtime exports and nothing here implements.
int stand_in_missing(const char* name) {
  return run({.name = name},
             [&] { return refuse(cudaErrorNotSupported, std::string(name) + " is not there"); });
}
#pragma GCC visibility pop
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** out, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  return run({.name = "cudaGetDriverEntryPointByVersion"}, [&] {
    *out = stand_in_driver_entry(name);
    if (status != nullptr) *status = cudaDriverEntryPointSuccess;
    return cudaSuccess;
  });
}
