// Is there a GPU, can this program use it, and is it fit to measure on?
#pragma once

#include "harness/doctor/doctor.hpp"
#include "harness/machine/nvml.hpp"
#include "harness/machine/probe.hpp"
#include "harness/machine/system_files.hpp"

#include <string>
#include <vector>

namespace harness::doctor {

/// LibTorch, the CUDA device, the driver with its cache; then clocks, power, link, node and neighbours of
/// each GPU. `bad` only where a GPU is present (the driver or the PCI bus shows one) and cannot be used.
std::vector<Check> gpu_checks(const Probe& probe, const NvmlReport& nvml, const SystemFiles& files,
                              const std::string& jit_cache);

}  // namespace harness::doctor
