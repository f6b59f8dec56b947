#include "harness/machine/host.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sched.h>
#include <set>
#include <sstream>
#include <sys/utsname.h>
#include <unistd.h>

namespace harness::inline machine {
namespace {

std::string text_of(const char* file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

int memory_gib() {
  const auto bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return static_cast<int>(std::lround(bytes / (1024.0 * 1024 * 1024)));
}

std::vector<double> load_average() {
  double loads[3] = {};
  const int n = getloadavg(loads, 3);
  return {loads, loads + std::max(n, 0)};
}

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

void read_cpuinfo(const std::string& text, Host& host) {
  std::set<std::pair<std::string, std::string>> cores;
  std::string package;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const auto key = trimmed(line.substr(0, colon));
    const auto value = trimmed(line.substr(colon + 1));
    if (key == "model name" && host.cpu_model.empty()) host.cpu_model = value;
    if (key == "cpu MHz" && host.mhz == 0) host.mhz = std::strtod(value.c_str(), nullptr);
    if (key == "flags" && value.find(" hypervisor") != std::string::npos) host.hypervisor = true;
    if (key == "physical id") package = value;
    if (key == "core id") cores.emplace(package, value);
  }
  if (host.cpu_model.empty()) host.cpu_model = "unknown";
  host.physical_cores = cores.empty() ? host.logical_cpus : static_cast<int>(cores.size());
}

int usable_cores(const Host& host) { return std::max(1, std::min(host.physical_cores, host.cpus_allowed)); }

int default_threads(const Host& host) { return std::max(1, usable_cores(host) - 1); }

Host read_host() {
  Host host;
  host.logical_cpus = std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
  cpu_set_t mask;
  CPU_ZERO(&mask);
  host.cpus_allowed = sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : host.logical_cpus;
  read_cpuinfo(text_of("/proc/cpuinfo"), host);
  host.memory_gib = memory_gib();
  utsname names{};
  if (uname(&names) == 0) {
    host.name = names.nodename;
    host.kernel = names.release;
  }
  host.load_average = load_average();
  return host;
}

HostSettings read_settings(const SystemFiles& files) {
  return {.governor = files.text(cpu_folder + "cpu0/cpufreq/scaling_governor").value_or(""),
          .turbo = turbo_of(files),
          .smt = files.text(cpu_folder + "smt/control").value_or(""),
          .quota = granted_cpus(files),
          .huge_pages = huge_pages_of(files)};
}

}  // namespace harness::inline machine
