// What the machine did beside this process and those that it started.
#pragma once

#include "harness/machine/system_files.hpp"

namespace harness::inline machine {

/// CPU seconds since boot that all CPUs together were at work, or that the host gave to others meanwhile.
/// Nothing where /proc/stat does not say.
std::optional<double> busy_seconds(const SystemFiles& files = SystemFiles());

/// From its making on.
class OtherWork {
 public:
  OtherWork();
  /// The share of all CPUs' time that other processes and other guests of the host took so far, 0 to 1.
  /// Children count as ours once they have been waited for. Nothing where /proc/stat does not say.
  std::optional<double> share() const;

 private:
  std::optional<double> busy_;
  double own_;
  double begin_;
};

}  // namespace harness::inline machine
