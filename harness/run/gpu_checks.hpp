// Is there a GPU, can this program use it, and is it fit to measure on? What lies between it and its host:
// the link, the memory node, the driver's cache, a layer that slows calls down.
#pragma once

#include "harness/machine/host.hpp"
#include "harness/machine/nvml.hpp"
#include "harness/machine/probe.hpp"
#include "harness/run/doctor.hpp"

namespace harness::run {

/// LibTorch, the CUDA device, the driver with its cache; then clocks, power, link, node and neighbors of
/// each GPU. `bad` only where a GPU is present (the driver or the PCI bus shows one) and cannot be used.
std::vector<Check> gpu_checks(const Probe& probe, const NvmlReport& nvml, const SystemFiles& files,
                              const std::string& jit_cache);

/// On which memory node the GPU hangs, and where this process's pages lie; nothing where there is one node.
std::vector<Check> node(const GpuState& gpu, const SystemFiles& files);

/// Where the driver keeps what it compiles, by the environment; empty where it keeps nothing.
std::string jit_cache_folder();

}  // namespace harness::run
