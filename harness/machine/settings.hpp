// What somebody may have set otherwise between two runs on one host.
#pragma once

#include "harness/machine/system_files.hpp"

#include <optional>
#include <string>

namespace harness::inline machine {

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
