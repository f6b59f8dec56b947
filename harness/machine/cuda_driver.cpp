#include "harness/machine/cuda_driver.hpp"

#include "harness/support/signals.hpp"

#include <dlfcn.h>

namespace harness::inline machine {

bool cuda_driver_installed() {
  const HeldSignals held;  // as in nvml.cpp
  void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return false;
  dlclose(library);
  return true;
}

}  // namespace harness::inline machine
