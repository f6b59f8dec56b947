#include "harness/machine/host.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/support/quantity.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sched.h>
#include <set>
#include <sstream>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <system_error>
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

namespace {

/// "/a/b"; "/" where /proc does not say. Its lines are "number:controllers:path", of version 2 without
/// controllers.
std::string own_group(const SystemFiles& files, const std::string& controller) {
  std::istringstream lines(files.text("proc/self/cgroup").value_or(""));
  std::string number;
  std::string controllers;
  std::string path;
  while (std::getline(lines, number, ':') && std::getline(lines, controllers, ':') &&
         std::getline(lines, path))
    if (("," + controllers + ",").find("," + controller + ",") != std::string::npos) return path;
  return "/";
}

}  // namespace

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::optional<std::string> SystemFiles::text(const std::string& path) const {
  std::ifstream in(root_ / path);
  if (!in) return std::nullopt;
  auto text = trimmed({std::istreambuf_iterator<char>(in), {}});
  if (in.bad() || text.empty()) return std::nullopt;  // some files of /sys open and then fail to read
  return text;
}

std::optional<double> SystemFiles::number(const std::string& path) const {
  const auto read = text(path);
  double value = 0;
  if (!read || std::from_chars(read->data(), read->data() + read->size(), value).ec != std::errc{})
    return std::nullopt;
  return value;
}

std::vector<std::string> SystemFiles::names(const std::string& folder, const std::string& prefix) const {
  std::vector<std::string> found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(root_ / folder, error), end; !error && entry != end;
       entry.increment(error)) {
    auto name = entry->path().filename().string();
    if (name.starts_with(prefix)) found.push_back(std::move(name));
  }
  std::ranges::sort(found);
  return found;
}

std::optional<std::string> SystemFiles::field(const std::string& path, const std::string& key) const {
  std::istringstream lines(text(path).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (colon != line.npos && trimmed(line.substr(0, colon)) == key) return trimmed(line.substr(colon + 1));
  }
  return std::nullopt;
}

bool SystemFiles::writable(const std::string& folder) const {
  std::error_code error;
  auto place = root_ / folder;
  while (!std::filesystem::exists(place, error) && !error && place != place.parent_path())
    place = place.parent_path();
  return std::filesystem::is_directory(place, error) && access(place.c_str(), W_OK | X_OK) == 0;
}

std::optional<double> SystemFiles::free_bytes(const std::string& path) const {
  std::error_code error;
  const auto space = std::filesystem::space(root_ / path, error);
  if (error) return std::nullopt;
  return static_cast<double>(space.available);
}

double steal_seconds(const SystemFiles& files) {
  constexpr int fields_before = 7;  // user nice system idle iowait irq softirq
  std::istringstream in(files.text("proc/stat").value_or(""));
  std::string cpu;
  in >> cpu;
  double ticks = 0;
  for (int i = 0; i <= fields_before; ++i)
    if (!(in >> ticks)) return 0;
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::vector<std::string> control_groups(const SystemFiles& files, const std::string& controller) {
  const auto top = "sys/fs/cgroup" + (controller.empty() ? "" : "/" + controller);
  std::vector<std::string> folders;
  auto path = own_group(files, controller);
  while (path.find_last_not_of('/') != std::string::npos) {
    path.resize(path.find_last_not_of('/') + 1);
    folders.push_back(top + path);
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
  folders.push_back(top);
  return folders;
}

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double cpu_of(int who) {
  rusage usage{};
  getrusage(who, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double own_seconds() { return cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN); }

}  // namespace

std::optional<double> busy_seconds(const SystemFiles& files) {
  std::istringstream in(files.text("proc/stat").value_or(""));
  std::string cpu;
  in >> cpu;
  double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, softirq = 0, steal = 0;
  if (cpu != "cpu" || !(in >> user >> nice >> system >> idle >> waiting >> irq >> softirq >> steal))
    return std::nullopt;
  return (user + nice + system + irq + softirq + steal) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

OtherWork::OtherWork(SystemFiles files)
    : files_(std::move(files)), busy_(busy_seconds(files_)), own_(own_seconds()), begin_(now()) {}

std::optional<double> OtherWork::share(double least) const {
  const auto busy = busy_seconds(files_);
  const auto passed = now() - begin_;
  const auto all = passed * static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  if (!busy_ || !busy || all <= 0 || passed < least) return std::nullopt;
  return std::clamp((*busy - *busy_ - (own_seconds() - own_)) / all, 0.0, 1.0);
}

std::string other_programs_text(double share, std::string_view take) {
  return "other programs " + std::string(take) + " " + share_text(share) + " of the CPUs";
}

std::string busy_text(std::string_view share) {
  const auto other = parse_number<double>(share);
  if (!other || !(*other > busy_share && *other <= 1)) return {};
  return other_programs_text(*other, "took") + " meanwhile";
}

}  // namespace harness::inline machine
