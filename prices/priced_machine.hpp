// What the rows are measured on, and the subjects of the price list: each puts its rows on it that this
// machine can bear.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/cuda/device.hpp"
#include "harness/cuda/stream.hpp"

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

void add_host_memory(const Machine& machine);
void add_handover(const Machine& machine);
void add_ping_pong(const Machine& machine);
void add_threads(const Machine& machine);
void add_host_bandwidth(const Machine& machine);
void add_operators(const Machine& machine);
void add_products(const Machine& machine);

// On the device; without one they add nothing.
void add_copies(const Machine& machine);
void add_launches(const Machine& machine);
void add_allocators(const Machine& machine);
void add_device_bandwidth(const Machine& machine);
void add_devices(const Machine& machine);
void add_managed(const Machine& machine);

// Between as many ranks as there are CPUs or devices for.
void add_collectives(const Machine& machine);

// Where there are several NUMA nodes.
void add_nodes(const Machine& machine);

}  // namespace prices
