#include "harness/machine/settings.hpp"

#include <sstream>

namespace harness::inline machine {
namespace {

/// The part of the control group's file system that this process belongs to: "/" or "/user.slice/...".
std::string group_of(const SystemFiles& files) {
  std::istringstream lines(files.text("proc/self/cgroup").value_or(""));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("0::")) return line.substr(3);
  return "/";
}

/// CPUs that the quota grants: cgroup v2, then v1; nothing where there is no quota or no file.
std::optional<double> granted_cpus(const SystemFiles& files) {
  auto limit = files.text("sys/fs/cgroup" + group_of(files) + "/cpu.max");
  if (!limit) limit = files.text("sys/fs/cgroup/cpu.max");
  if (limit) {
    std::istringstream words(*limit);
    double quota = 0;
    double period = 0;
    if (words >> quota >> period && period > 0) return quota / period;
    return std::nullopt;  // "max 100000"
  }
  const auto quota = files.number("sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  const auto period = files.number("sys/fs/cgroup/cpu/cpu.cfs_period_us");
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

std::optional<bool> turbo_of(const SystemFiles& files) {
  if (const auto off = files.number(cpu_folder + "intel_pstate/no_turbo")) return *off == 0;
  if (const auto boost = files.number(cpu_folder + "cpufreq/boost")) return *boost != 0;
  return std::nullopt;
}

/// The word in brackets: "always [madvise] never".
std::string huge_pages_of(const SystemFiles& files) {
  const auto text = files.text("sys/kernel/mm/transparent_hugepage/enabled").value_or("");
  const auto open = text.find('[');
  const auto close = text.find(']');
  if (open == text.npos || close == text.npos) return {};
  return text.substr(open + 1, close - open - 1);
}

}  // namespace

HostSettings read_settings(const SystemFiles& files) {
  return {.governor = files.text(cpu_folder + "cpu0/cpufreq/scaling_governor").value_or(""),
          .turbo = turbo_of(files),
          .smt = files.text(cpu_folder + "smt/control").value_or(""),
          .quota = granted_cpus(files),
          .huge_pages = huge_pages_of(files)};
}

}  // namespace harness::inline machine
