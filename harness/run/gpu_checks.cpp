#include "harness/run/gpu_checks.hpp"

#include "harness/machine/numa.hpp"
#include "harness/results/stand_in.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

namespace harness::run {
namespace {

/// NVIDIA's display and 3-D controllers on the PCI bus, seen without a driver.
std::size_t cards(const SystemFiles& files) {
  const std::string folder = "sys/bus/pci/devices";
  return static_cast<std::size_t>(std::ranges::count_if(files.names(folder, ""), [&](const auto& device) {
    return files.text(folder + "/" + device + "/vendor") == "0x10de" &&
           files.text(folder + "/" + device + "/class").value_or("").starts_with("0x03");
  }));
}

Check libtorch(const Probe& probe) {
  if (probe.status == CudaStatus::no_worker)
    return {.name = "libtorch",
            .fitness = Fitness::bad,
            .value = probe.message,
            .matters = "you cannot measure without it; list, explain and diagnose still work",
            .fix = "scripts/run.sh"};
  return {
      .name = "libtorch",
      .fitness = Fitness::good,
      .value = fmt::format("{}{}", probe.libtorch.empty() ? "found" : probe.libtorch,
                           probe.cpu_capability.empty() ? "" : ", CPU kernels for " + probe.cpu_capability)};
}

/// What fixes a device that cannot be used.
std::string fix_of(const Probe& probe) {
  switch (probe.status) {
    case CudaStatus::driver_too_old:
      return "install a newer driver, or build with a CUDA version that this one supports";
    case CudaStatus::architecture_not_built:
      return "scripts/build.sh --preset gpu, if this CUDA still compiles for that device";
    case CudaStatus::no_device:
      return "nvidia-smi; in a container: docker run --gpus all ...";
    default:
      return "nvidia-smi; then restart the machine or the container";
  }
}

Check device(const Probe& probe, const NvmlReport& nvml, const SystemFiles& files) {
  Check check{.name = "cuda device"};
  const bool present = !nvml.gpus.empty() || cards(files) > 0;
  if (probe.status == CudaStatus::no_worker) {
    check.value = "unknown, because the worker does not start";
    check.fitness = present ? Fitness::bad : Fitness::unknown;
    return check;
  }
  if (probe.status == CudaStatus::ok) {
    check.value = fmt::format("{}, compute capability {}", probe.gpu_name, probe.compute_capability);
    check.fitness = results::is_stand_in(probe.gpu_name) ? Fitness::warn : Fitness::good;
    if (results::is_stand_in(probe.gpu_name)) check.matters = results::stand_in_warning;
    return check;
  }
  check.value = probe.status == CudaStatus::no_device ? "none" : std::string(to_string(probe.status));
  if (probe.status != CudaStatus::no_device || present) {
    const bool named = probe.message.starts_with(check.value);
    if (!probe.message.empty()) check.value = named ? probe.message : check.value + ": " + probe.message;
    check.fitness = Fitness::bad;
    check.matters = "a GPU is present, but this program cannot use it, so CUDA steps are skipped";
    check.fix = fix_of(probe);
    return check;
  }
  check.fitness = Fitness::note;
  check.matters = "CUDA steps are skipped; everything else runs";
  return check;
}

Check driver(const Probe& probe, const NvmlReport& nvml) {
  Check check{.name = "driver"};
  if (!nvml.loaded) {
    check.value = "none";
    check.fitness = Fitness::note;
    return check;
  }
  check.value = nvml.error.empty() ? nvml.driver : nvml.error;
  check.fitness = nvml.error.empty() ? Fitness::good : Fitness::warn;
  if (!probe.cuda_driver.empty())
    check.value +=
        fmt::format(", up to CUDA {} (this program needs {})", probe.cuda_driver, probe.cuda_runtime);
  if (!nvml.error.empty()) check.fix = "restart the machine: the driver's module and its library differ";
  return check;
}

/// A check that cannot be made unless the driver says what it asks for.
Check told_by_driver(std::string name) {
  return {.name = std::move(name), .matters = "the driver does not say"};
}

Check clocks(const GpuState& gpu) {
  auto check = told_by_driver("gpu clocks");
  if (!gpu.sm_mhz || !gpu.sm_max_mhz) return check;
  check.value = fmt::format("SM {} of {} MHz", *gpu.sm_mhz, *gpu.sm_max_mhz);
  if (gpu.memory_mhz && gpu.memory_max_mhz)
    check.value += fmt::format(", memory {} of {} MHz", *gpu.memory_mhz, *gpu.memory_max_mhz);
  check.fitness = Fitness::note;
  check.matters = "idle clocks say little; lock the clocks to compare runs from different days";
  check.fix = fmt::format("sudo nvidia-smi -lgc {}  (undo: sudo nvidia-smi -rgc)", *gpu.sm_max_mhz);
  return check;
}

Check slowdown(const GpuState& gpu) {
  constexpr unsigned long long hot_or_failing = 0x8 | 0x20 | 0x40 | 0x80;  // slowdown, thermal, power brake
  auto check = told_by_driver("gpu slowdown");
  if (!gpu.slowdowns) return check;
  const bool slow = (*gpu.slowdowns & hot_or_failing) != 0;
  check.value = slow ? fmt::format("yes (reasons {:#x})", *gpu.slowdowns) : "none";
  if (gpu.temperature_c) check.value += fmt::format(", {} C", *gpu.temperature_c);
  return judged(check, !slow, Fitness::warn, "the GPU lowers its clock because of heat or its power supply",
                "nvidia-smi -q -d PERFORMANCE,TEMPERATURE");
}

Check power(const GpuState& gpu) {
  auto check = told_by_driver("gpu power");
  if (!gpu.power_limit_mw) return check;
  check.value = fmt::format("limit {:.0f} W", *gpu.power_limit_mw / 1000.0);
  if (gpu.power_mw) check.value = fmt::format("{:.0f} W, ", *gpu.power_mw / 1000.0) + check.value;
  constexpr unsigned long long power_cap = 0x4;
  const bool capped = (gpu.slowdowns.value_or(0) & power_cap) != 0;
  if (capped) check.value += ", reached";
  return judged(check, !capped, Fitness::note,
                "the power limit lowers the clock by an amount that depends on what ran before",
                "nvidia-smi -q -d POWER,PERFORMANCE");
}

Check persistence(const GpuState& gpu) {
  auto check = told_by_driver("persistence");
  if (!gpu.persistence) return check;
  check.value = *gpu.persistence != 0 ? "on" : "off";
  return judged(check, *gpu.persistence != 0, Fitness::warn,
                "the driver unloads between processes: each start is slow and clocks begin low",
                "sudo nvidia-smi -pm 1");
}

Check neighbors(const GpuState& gpu) {
  auto check = told_by_driver("gpu neighbors");
  if (!gpu.processes) return check;
  check.value = fmt::format("{} other processes", *gpu.processes);
  if (gpu.utilization) check.value += fmt::format(", {} % busy", *gpu.utilization);
  return judged(check, *gpu.processes == 0 && gpu.utilization.value_or(0) < 5, Fitness::warn,
                "others use the GPU, which slows both sides unevenly", "nvidia-smi");
}

Check modes(const GpuState& gpu) {
  auto check = told_by_driver("gpu modes");
  if (!gpu.ecc && !gpu.mig) return check;
  const auto word = [](const std::optional<unsigned>& on) {
    return !on ? "unknown" : *on != 0 ? "on" : "off";
  };
  check.value = fmt::format("ECC {}, MIG {}", word(gpu.ecc), word(gpu.mig));
  return judged(check, gpu.mig.value_or(0) == 0, Fitness::note,
                "a slice of a GPU shares its link and memory with the other slices");
}

constexpr unsigned busy_percent = 5;  // percent

Check jit_cache_check(const SystemFiles& files, const std::string& folder) {
  Check check{.name = "jit cache", .value = folder.empty() ? "off (CUDA_CACHE_DISABLE)" : folder};
  const bool writable = !folder.empty() && files.writable(folder);
  if (!folder.empty() && !writable) check.value += ", which cannot be written";
  return judged(
      check, writable, Fitness::warn,
      "what the driver has to compile for a GPU without machine code, it compiles again in each round",
      folder.empty() ? "unset CUDA_CACHE_DISABLE" : "export CUDA_CACHE_PATH=/tmp/nv-cache");
}

Check pcie_link(const GpuState& gpu) {
  auto check = told_by_driver("pcie link");
  if (!gpu.link_width || !gpu.link_max_width || !gpu.link_generation || !gpu.link_max_generation)
    return check;
  check.value = fmt::format("generation {} x{} now, {} x{} at most", *gpu.link_generation, *gpu.link_width,
                            *gpu.link_max_generation, *gpu.link_max_width);
  const bool narrow = *gpu.link_width != *gpu.link_max_width;
  const bool old_slot = gpu.card_generation.value_or(0) > *gpu.link_max_generation;
  const bool lowered = *gpu.link_generation < *gpu.link_max_generation;
  check.fitness = Fitness::good;
  check.matters.clear();
  if (narrow)
    return judged(check, false, Fitness::warn,
                  "the link uses fewer lanes than the card has, so transfers are slower",
                  "try another slot, or check the slot's setting in the firmware");
  if (lowered && gpu.utilization.value_or(0) >= busy_percent)
    return judged(check, false, Fitness::warn,
                  "the GPU is busy, and its link still runs at a lower generation",
                  "nvidia-smi -q -d PERFORMANCE; check the slot's setting in the firmware, and risers");
  if (old_slot)
    return judged(
        check, false, Fitness::note,
        fmt::format("the card can do generation {}, the slot cannot: copies take longer than on others",
                    *gpu.card_generation));
  if (lowered) check.matters = "an idle link lowers its generation; it rises once copies run";
  return check;
}

/// Of the machine, not of a GPU: a line for each that is as it should not be, and for the cache always.
std::vector<Check> layer_checks(const NvmlReport& nvml, const SystemFiles& files,
                                const std::string& jit_cache) {
  std::vector<Check> checks;
  if (nvml.loaded) checks.push_back(jit_cache_check(files, jit_cache));
  if (!files.names("dev", "dxg").empty())
    checks.push_back({.name = "wsl",
                      .fitness = Fitness::warn,
                      .value = "WSL2: Windows schedules the GPU",
                      .matters =
                          "launches are slower and sent in batches, and Windows caps pinned memory: rows of "
                          "launches and of pinned copies do not hold for Linux",
                      .fix = "measure under Linux"});
  if (nvml.confidential)
    checks.push_back({.name = "confidential computing",
                      .fitness = Fitness::warn,
                      .value = "on",
                      .matters =
                          "copies are encrypted and staged, pinned memory is not copied from directly, and "
                          "cudaHostRegister answers 801 (not supported): its rows fail",
                      .fix = "measure on a machine without it"});
  return checks;
}

}  // namespace

std::vector<Check> gpu_checks(const Probe& probe, const NvmlReport& nvml, const SystemFiles& files,
                              const std::string& jit_cache) {
  std::vector<Check> checks{libtorch(probe), device(probe, nvml, files), driver(probe, nvml)};
  for (auto& check : layer_checks(nvml, files, jit_cache)) checks.push_back(std::move(check));
  for (std::size_t i = 0; i < nvml.gpus.size(); ++i) {
    const auto& gpu = nvml.gpus[i];
    auto of_gpu = node(gpu, files);
    for (const auto& look : {clocks, slowdown, power, persistence, neighbors, pcie_link, modes})
      of_gpu.push_back(look(gpu));
    for (auto& check : of_gpu) {
      if (nvml.gpus.size() > 1) check.name += fmt::format(" {}", i);
      checks.push_back(std::move(check));
    }
  }
  return checks;
}

std::vector<Check> node(const GpuState& gpu, const SystemFiles& files) {
  if (gpu.bus_id.empty()) return {};
  const auto of_gpu = files.number("sys/bus/pci/devices/" + gpu.bus_id + "/numa_node");
  const auto online = parse_cpus(files.text("sys/devices/system/node/online").value_or(""));
  if (!of_gpu || *of_gpu < 0 || online.size() < 2) return {};
  const int near = static_cast<int>(*of_gpu);
  const auto cpus = parse_cpus(files.field("proc/self/status", "Cpus_allowed_list").value_or(""));
  const auto memory = parse_cpus(files.field("proc/self/status", "Mems_allowed_list").value_or(""));
  std::vector<int> mine;  // nodes whose processors and pages this process may use
  for (const auto& one : numa_nodes(files, cpus))
    if (std::ranges::count(memory, one.id) > 0) mine.push_back(one.id);
  if (mine.empty()) return {};
  Check check{.name = "gpu node",
              .value = fmt::format("the GPU is at node {}, this process at {}", near, fmt::join(mine, ", "))};
  const auto fix = fmt::format("numactl --cpunodebind={} --membind={} tuneproof run ...", near, near);
  if (mine == std::vector{near}) return {judged(check, true, Fitness::note, {})};
  if (std::ranges::count(mine, near) > 0)
    return {judged(check, false, Fitness::note, "where it runs decides whether pinned pages lie near the GPU",
                   fix)};
  return {judged(check, false, Fitness::warn,
                 "pinned pages lie on the far node, so copies cross from processor to processor", fix)};
}

std::string jit_cache_folder() {
  const auto variable = [](const char* name) {
    const auto* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets it
    return std::string(value == nullptr ? "" : value);
  };
  if (variable("CUDA_CACHE_DISABLE") == "1") return {};
  const auto folder = variable("CUDA_CACHE_PATH");
  return folder.empty() ? variable("HOME") + "/.nv/ComputeCache" : folder;
}

}  // namespace harness::run
