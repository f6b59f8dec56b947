#include "harness/machine/settings.hpp"

#include <sstream>

namespace harness::inline machine {
namespace {

/// This process's group in the hierarchy that has the controller, "/" or "/user.slice/..."; version 2 has one
/// hierarchy and names no controller.
std::string group_of(const SystemFiles& files, const std::string& controller) {
  std::istringstream lines(files.text("proc/self/cgroup").value_or(""));
  std::string number;
  std::string controllers;
  std::string path;
  while (std::getline(lines, number, ':') && std::getline(lines, controllers, ':') &&
         std::getline(lines, path))
    if (("," + controllers + ",").find("," + controller + ",") != std::string::npos) return path;
  return "/";
}

/// CPUs that the quota of a group grants; nothing where it has none ("max 100000", or -1 us).
std::optional<double> granted_in(const SystemFiles& files, const std::string& folder) {
  double quota = files.number(folder + "/cpu.cfs_quota_us").value_or(0);
  double period = files.number(folder + "/cpu.cfs_period_us").value_or(0);
  if (const auto limit = files.text(folder + "/cpu.max"))
    if (std::istringstream words(*limit); !(words >> quota >> period)) return std::nullopt;
  return quota > 0 && period > 0 ? std::optional(quota / period) : std::nullopt;
}

/// The least that the group's quota and those of the groups above it grant.
std::optional<double> granted_below(const SystemFiles& files, const std::string& root, std::string group) {
  std::optional<double> least;
  while (true) {
    if (const auto cpus = granted_in(files, root + group); cpus && (!least || *cpus < *least)) least = cpus;
    const auto slash = group.rfind('/');
    if (slash == std::string::npos) return least;
    group.resize(slash);
  }
}

/// CPUs that control groups grant, of version 2 or 1; nothing where there is no quota.
std::optional<double> granted_cpus(const SystemFiles& files) {
  const auto cpus = granted_below(files, "sys/fs/cgroup", group_of(files, ""));
  return cpus ? cpus : granted_below(files, "sys/fs/cgroup/cpu", group_of(files, "cpu"));
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
