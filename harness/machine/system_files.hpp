// Reading /proc and /sys below a root, so that tests can make a tree up. What is missing is "not known",
// never an error: containers and virtual machines hide much of it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
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

}  // namespace harness::inline machine
