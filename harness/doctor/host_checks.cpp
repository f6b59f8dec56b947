#include "harness/doctor/host_checks.hpp"

#include "harness/doctor/cpu_share_checks.hpp"
#include "harness/machine/available_memory.hpp"
#include "harness/machine/host.hpp"
#include "harness/machine/settings.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>

namespace harness::doctor {
namespace {

Check cpu(const SystemFiles& files) {
  Check check{.name = "cpu"};
  const auto cpuinfo = files.text("proc/cpuinfo");
  if (!cpuinfo) return check;
  Host host;
  read_cpuinfo(*cpuinfo, host);
  int threads = 0;
  for (std::size_t at = 0; (at = cpuinfo->find("processor\t", at)) != cpuinfo->npos; ++at) ++threads;
  const bool smt = host.physical_cores < threads && cpuinfo->find("core id") != cpuinfo->npos;
  check.value = fmt::format("{}, {} hardware threads", host.cpu_model, threads);
  if (smt) check.value += fmt::format(" on {} cores", host.physical_cores);
  return judged(check, !smt, Fitness::note,
                "two threads of one core share its units: more --threads than cores add noise");
}

Check governor(const SystemFiles& files) {
  Check check{.name = "frequency"};
  const auto governor = files.text(cpu_folder + "cpu0/cpufreq/scaling_governor");
  if (!governor) return check;
  check.value = "governor " + *governor;
  return judged(check, *governor == "performance", Fitness::warn,
                "the clock follows the load, so short slots see a slower CPU than long ones",
                "sudo cpupower frequency-set -g performance");
}

Check turbo(const SystemFiles& files) {
  Check check{.name = "turbo"};
  const auto on = read_settings(files).turbo;
  if (!on) return check;
  check.value = *on ? "on" : "off";
  const bool intel = files.number(cpu_folder + "intel_pstate/no_turbo").has_value();
  return judged(check, !*on, Fitness::note,
                "clocks drift with heat; quads cancel a slow drift, but times may shift between runs",
                intel ? "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
                      : "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost");
}

Check numa(const SystemFiles& files) {
  const auto nodes = files.names("sys/devices/system/node", "node").size();
  Check check{.name = "numa"};
  if (nodes == 0) return check;
  check.value = fmt::format("{} node{}", nodes, nodes == 1 ? "" : "s");
  return judged(
      check, nodes == 1, Fitness::note, "memory on a node far from the GPU or the thread is slower to reach",
      "numactl --cpunodebind=0 --membind=0 tuneproof run ...  (the GPU's node: nvidia-smi topo -m)");
}

Check huge_pages(const SystemFiles& files) {
  Check check{.name = "huge pages", .value = read_settings(files).huge_pages};
  if (check.value.empty()) return check;
  check.fitness = Fitness::note;
  check.matters = "both forms see the same setting; if two results differ in it, compare says so";
  return check;
}

Check memory(const SystemFiles& files) {
  Check check{.name = "memory"};
  const auto available = available_memory(files);
  if (available == std::numeric_limits<std::size_t>::max()) return check;
  const auto bytes = static_cast<double>(available);
  check.value = memory_text(bytes) + " available";
  constexpr double full_size =
      12.0 * 1024 * 1024 * 1024;  // the data set is 5.7 GB, and batches are made of it
  return judged(check, bytes >= full_size, Fitness::note,
                "the full STGym data set takes 5.7 GB: use a smaller --scale");
}

Check disk(const SystemFiles& files) {
  Check check{.name = "disk"};
  const auto bytes = files.free_bytes("tmp");
  if (!bytes) return check;
  check.value = memory_text(*bytes) + " free in /tmp";
  return judged(check, *bytes >= 1e9, Fitness::warn, "results and traces need room");
}

Check shared_memory(const SystemFiles& files) {
  Check check{.name = "shared memory"};
  const auto bytes = files.free_bytes("dev/shm");
  if (!bytes) return check;
  check.value = memory_text(*bytes) + " free in /dev/shm";
  return judged(check, *bytes >= 256.0 * 1024 * 1024, Fitness::warn,
                "loader processes pass batches through it", "docker run --shm-size=2g ...");
}

}  // namespace

std::vector<Check> host_checks(const SystemFiles& files) {
  return {cpu(files),   governor(files),   turbo(files),  load(files),
          quota(files), affinity(files),   steal(files),  virtual_machine(files),
          numa(files),  huge_pages(files), memory(files), shared_memory(files),
          disk(files)};
}

}  // namespace harness::doctor
