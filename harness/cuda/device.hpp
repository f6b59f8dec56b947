// Is there a CUDA device that this build can use, and what is it?
#pragma once

#include "harness/cuda/check.hpp"

#include <cstddef>
#include <string_view>

namespace harness::inline cuda {

/// What the device says of itself.
inline int device_attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

/// The facts of one device. `status` is the word that harness/machine/probe.hpp reads; `message` says in a
/// few words why the device cannot be used, and is empty where it can.
struct DeviceFacts {
  std::string_view status = "ok";
  std::string message;
  std::string name;
  std::string compute_capability;  // "9.0"
  int count = 0;                   // of devices in this machine
  int multiprocessors = 0;
  int copy_engines = 0;
  std::size_t memory_bytes = 0;
  std::string driver_api;  // the newest CUDA that the driver knows, "13.0"; empty without a driver
  std::string runtime;     // the CUDA that this program was built with, "13.0"
};

/// Asks the runtime, and launches an empty kernel to see whether the device's architecture was built.
/// `built_for` is only quoted. Never throws for what the machine lacks.
DeviceFacts probe_device(int index, const std::string& built_for);

}  // namespace harness::inline cuda
