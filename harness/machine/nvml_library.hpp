// Calls into NVIDIA's management library, which is loaded when it is asked for.
#pragma once

#include <dlfcn.h>
#include <memory>
#include <optional>
#include <string>

namespace harness::inline machine {

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

}  // namespace harness::inline machine
