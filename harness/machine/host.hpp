// The host's facts, from /proc, /sys and uname.
#pragma once

#include "harness/machine/system_files.hpp"

namespace harness::inline machine {

struct Host {
  std::string name = {};
  std::string cpu_model = {};  // "unknown" where /proc/cpuinfo does not say
  int logical_cpus = 1;        // online
  int physical_cores = 1;      // online; as many as logical ones where /proc/cpuinfo does not say
  int cpus_allowed = 1;        // in this process's affinity mask
  int memory_gib = 0;          // rounded: the kernel's own share varies a little from boot to boot
  double mhz = 0;              // of the first CPU now; 0 where unknown
  bool hypervisor = false;     // this is a virtual machine
  std::string kernel = {};
  std::vector<double> load_average = {};
};

Host read_host();

/// What /proc/cpuinfo says, put into `host`: model, MHz and the number of distinct (package, core) pairs.
void read_cpuinfo(const std::string& text, Host& host);

/// The cores that this process may use, each counted once however many threads it has; at least 1.
int usable_cores(const Host& host);

/// The default of `--threads`: one core is left to this program and the system, where there is a second one.
/// Threads on all cores wait for each other whenever anything else runs: on two cores the second thread took
/// 12 to 16 % off a training step's time and made a round's ratio scatter 1.6 to 2.5 times as much.
int default_threads(const Host& host);

// What somebody may have set otherwise between two runs on one host.

/// Where Linux says what the CPUs do, below the root.
inline const std::string cpu_folder = "sys/devices/system/cpu/";

/// What is not known is empty.
struct HostSettings {
  std::string governor;         // of the first CPU
  std::optional<bool> turbo;    // clocks may rise above the nominal one
  std::string smt;              // "on", "off", "notsupported"
  std::optional<double> quota;  // CPUs that the control group grants; empty where there is none, too
  std::string huge_pages;       // transparent ones: "always", "madvise", "never"
};

HostSettings read_settings(const SystemFiles& files);

}  // namespace harness::inline machine
