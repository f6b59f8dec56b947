// What the rows are measured on.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/cuda/attribute.hpp"
#include "harness/cuda/stream.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <vector>

namespace prices {

struct Machine {
  harness::Device device;                   // on which CUDA's rows run; the host: there are none
  const harness::Stream* stream = nullptr;  // there, LibTorch's current one too
  int devices = 0;                          // CUDA devices of the machine
  int threads = 1;
  std::size_t host_bytes = 0;    // that a row may take
  std::size_t device_bytes = 0;  // the same on the device

  /// Whether rows on the device can be measured.
  bool has_cuda() const { return stream != nullptr; }
  /// Whether the device has what the attribute asks for; to be asked only where there is one.
  bool has(cudaDeviceAttr what) const { return harness::device_attribute(what, device.index) != 0; }
};

/// Half of what the host has free, or of what is left of the limit that its group of processes has.
std::size_t host_bytes_to_use();

/// The sizes of which `copies` fit into the memory that a row may take.
std::vector<std::size_t> fitting(std::span<const std::size_t> sizes, std::size_t copies, std::size_t memory);

}  // namespace prices
