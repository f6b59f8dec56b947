#include "harness/doctor/cpu_share_checks.hpp"

#include "harness/machine/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace harness::doctor {
namespace {

constexpr double busy_share = 0.15;   // of the CPUs: above it other work gets into the slots
constexpr double steal_share = 0.01;  // of the time since boot

bool says_anything_of_groups(const SystemFiles& files) {
  return files.text("proc/self/cgroup") || files.text("sys/fs/cgroup/cpu.max");
}

}  // namespace

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

}  // namespace harness::doctor
