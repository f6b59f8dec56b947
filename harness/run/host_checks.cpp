#include "harness/run/host_checks.hpp"

#include "harness/machine/available_memory.hpp"
#include "harness/machine/host.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <sstream>

namespace harness::run {
namespace {

// Who else has a share of this host's CPUs: other processes, the container's quota, the hypervisor.

constexpr double busy_share = 0.15;   // of the CPUs: above it other work gets into the slots
constexpr double steal_share = 0.01;  // of the time since boot

bool says_anything_of_groups(const SystemFiles& files) {
  return files.text("proc/self/cgroup") || files.text("sys/fs/cgroup/cpu.max");
}

Check load(const SystemFiles& files) {
  Check check{.name = "load"};
  const auto average = files.number("proc/loadavg");
  auto cpus = files.names("sys/devices/system/cpu", "cpu");  // also "cpufreq" and "cpuidle"
  std::erase_if(cpus, [](const auto& name) { return name.find_first_of("0123456789") != 3; });
  const auto count = std::max(static_cast<double>(cpus.size()), 1.0);
  if (!average) return check;
  check.value = fmt::format("{:.2f} on {:.0f} CPUs in the last minute", *average, count);
  return judged(check, *average <= busy_share * count, Fitness::warn,
                "other processes disturb the slots and widen the intervals",
                "ps -eo pcpu,pid,args --sort=-pcpu | head");
}

Check quota(const SystemFiles& files) {
  Check check{.name = "cpu quota"};
  if (!says_anything_of_groups(files)) return check;
  const auto cpus = read_settings(files).quota;
  check.value = cpus ? fmt::format("{:.2g} CPUs", *cpus) : "none";
  return judged(check, !cpus, Fitness::warn,
                "when the quota of a period is used up, everything stops until the next period",
                "start the container without --cpus; --cpuset-cpus gives whole CPUs instead");
}

Check affinity(const SystemFiles& files) {
  Check check{.name = "affinity"};
  const auto allowed = files.field("proc/self/status", "Cpus_allowed_list");
  if (!allowed) return check;
  const auto online = files.text("sys/devices/system/cpu/online");
  check.value = "CPUs " + *allowed;
  return judged(
      check, !online || *online == *allowed, Fitness::note,
      fmt::format("of {}: if you set more --threads than that, they share CPUs", online.value_or("")));
}

Check steal(const SystemFiles& files) {
  Check check{.name = "stolen time"};
  std::istringstream words(files.text("proc/stat").value_or(""));
  std::string name;
  double total = 0;
  double stolen = 0;
  words >> name;
  for (int column = 0; column < 8; ++column) {
    double ticks = 0;
    if (!(words >> ticks)) return check;
    total += ticks;
    if (column == 7) stolen = ticks;
  }
  if (name != "cpu" || total <= 0) return check;
  check.value = fmt::format("{:.1f} % since boot", 100 * stolen / total);
  return judged(check, stolen <= steal_share * total, Fitness::warn,
                "the hypervisor gives this machine's CPUs to other machines");
}

Check virtual_machine(const SystemFiles& files) {
  Check check{.name = "virtual"};
  const auto flags = files.field("proc/cpuinfo", "flags");
  if (!flags) return check;
  const bool is_virtual = (" " + *flags + " ").find(" hypervisor ") != std::string::npos;
  const auto maker = files.text("sys/class/dmi/id/sys_vendor");
  check.value = is_virtual ? "a virtual machine" + (maker ? " (" + *maker + ")" : std::string()) : "no";
  return judged(check, !is_virtual, Fitness::note,
                "neighbors on the same host may slow it down; clocks and counters may be hidden");
}

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

}  // namespace harness::run
