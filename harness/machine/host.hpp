// The host's facts, from /proc, /sys and uname, read below a root, so that tests can make a tree up; what the
// machine did beside this process and those that it started. What is missing is "not known", never an error:
// containers and virtual machines hide much of it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness::inline machine {

/// Without the blanks around it.
std::string trimmed(const std::string& text);

class SystemFiles {
 public:
  explicit SystemFiles(std::filesystem::path root = "/") : root_(std::move(root)) {}

  /// The file's text without blanks around it; `path` is relative to the root: "proc/loadavg".
  std::optional<std::string> text(const std::string& path) const;
  /// The number that the file begins with.
  std::optional<double> number(const std::string& path) const;
  /// The names in a folder that begin with `prefix`, sorted; empty where there is no such folder.
  std::vector<std::string> names(const std::string& folder, const std::string& prefix) const;
  /// The value behind "key:" (or "key\t:") on the first line that has it: /proc/cpuinfo, /proc/meminfo.
  std::optional<std::string> field(const std::string& path, const std::string& key) const;
  /// True if this process may write into the folder, or could make it.
  bool writable(const std::string& folder) const;
  /// Bytes free to a plain user where the path lies.
  std::optional<double> free_bytes(const std::string& path) const;

 private:
  std::filesystem::path root_;
};

/// CPU seconds since boot that this machine's CPUs were ready to run and the host gave to others; all CPUs
/// together. 0 where /proc/stat does not say.
double steal_seconds(const SystemFiles& files = SystemFiles());

// The control groups that this process is in: what they limit holds for all below them.

/// Their folders below the root, the process's own group first and the top last: "sys/fs/cgroup/a/b",
/// "sys/fs/cgroup/a", "sys/fs/cgroup". `controller` names a hierarchy of version 1, "cpu"; empty: version 2,
/// which has one hierarchy. Only the top where /proc does not say, and in a container.
std::vector<std::string> control_groups(const SystemFiles& files, const std::string& controller = "");

/// CPU seconds since boot that all CPUs together were at work, or that the host gave to others meanwhile.
/// Nothing where /proc/stat does not say.
std::optional<double> busy_seconds(const SystemFiles& files = SystemFiles());

/// From its making on.
class OtherWork {
 public:
  explicit OtherWork(SystemFiles files = SystemFiles());
  /// The share of all CPUs' time that other processes and other guests of the host took so far, 0 to 1.
  /// Children count as ours once they have been waited for. Nothing where /proc/stat does not say, or before
  /// `least` seconds have passed: its ticks are coarse.
  std::optional<double> share(double least = 0) const;

 private:
  SystemFiles files_;
  std::optional<double> busy_;
  double own_;
  double begin_;
};

/// The share of the CPUs above which other work gets into what is measured.
inline constexpr double busy_share = 0.15;

/// "other programs took 62 % of the CPUs"; `take`: the verb.
std::string other_programs_text(double share, std::string_view take = "took");

/// "other programs took 62 % of the CPUs meanwhile", where `share`, as a file has it ("0.62"), is more than
/// busy_share; else empty.
std::string busy_text(std::string_view share);

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
