#include "harness/machine/host.hpp"

#include "harness/machine/system_files.hpp"

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
#include <utility>

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

}  // namespace harness::inline machine
