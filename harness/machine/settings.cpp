#include "harness/machine/settings.hpp"

#include "harness/machine/control_groups.hpp"

#include <sstream>
#include <string>
#include <vector>

namespace harness::inline machine {
namespace {

/// CPUs that the quota of a group grants; nothing where it has none ("max 100000", or -1 us).
std::optional<double> granted_in(const SystemFiles& files, const std::string& folder) {
  double quota = files.number(folder + "/cpu.cfs_quota_us").value_or(0);
  double period = files.number(folder + "/cpu.cfs_period_us").value_or(0);
  if (const auto limit = files.text(folder + "/cpu.max"))
    if (std::istringstream words(*limit); !(words >> quota >> period)) return std::nullopt;
  return quota > 0 && period > 0 ? std::optional(quota / period) : std::nullopt;
}

/// The least that the quotas of these groups grant.
std::optional<double> least_granted(const SystemFiles& files, const std::vector<std::string>& groups) {
  std::optional<double> least;
  for (const auto& group : groups)
    if (const auto cpus = granted_in(files, group); cpus && (!least || *cpus < *least)) least = cpus;
  return least;
}

/// CPUs that control groups grant, of version 2 or 1; nothing where there is no quota.
std::optional<double> granted_cpus(const SystemFiles& files) {
  const auto cpus = least_granted(files, control_groups(files));
  return cpus ? cpus : least_granted(files, control_groups(files, "cpu"));
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
