#include "harness/doctor/gpu_link_checks.hpp"

#include "harness/machine/numa.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace harness::doctor {
namespace {

constexpr unsigned busy = 5;  // percent

Check jit_cache_check(const SystemFiles& files, const std::string& folder) {
  Check check{.name = "jit cache", .value = folder.empty() ? "off (CUDA_CACHE_DISABLE)" : folder};
  const bool writable = !folder.empty() && files.writable(folder);
  if (!folder.empty() && !writable) check.value += ", which cannot be written";
  return judged(
      check, writable, Fitness::warn,
      "what the driver has to compile for a GPU without machine code, it compiles again in each round",
      folder.empty() ? "unset CUDA_CACHE_DISABLE" : "export CUDA_CACHE_PATH=/tmp/nv-cache");
}

}  // namespace

Check link(const GpuState& gpu) {
  Check check{.name = "pcie link"};
  if (!gpu.link_width || !gpu.link_max_width || !gpu.link_generation || !gpu.link_max_generation)
    return check;
  check.value = fmt::format("generation {} x{} now, {} x{} at most", *gpu.link_generation, *gpu.link_width,
                            *gpu.link_max_generation, *gpu.link_max_width);
  const bool narrow = *gpu.link_width != *gpu.link_max_width;
  const bool old_slot = gpu.card_generation.value_or(0) > *gpu.link_max_generation;
  const bool lowered = *gpu.link_generation < *gpu.link_max_generation;
  check.fitness = Fitness::good;
  if (narrow)
    return judged(check, false, Fitness::warn,
                  "the link uses fewer lanes than the card has, so transfers are slower",
                  "try another slot, or check the slot's setting in the firmware");
  if (lowered && gpu.utilization.value_or(0) >= busy)
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

std::string jit_cache_folder() {
  const auto variable = [](const char* name) {
    const auto* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets it
    return std::string(value == nullptr ? "" : value);
  };
  if (variable("CUDA_CACHE_DISABLE") == "1") return {};
  const auto folder = variable("CUDA_CACHE_PATH");
  return folder.empty() ? variable("HOME") + "/.nv/ComputeCache" : folder;
}

}  // namespace harness::doctor
