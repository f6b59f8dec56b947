#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace stand_in {

/// What the devices are and how they behave, by the environment (stand_in/README.md has the list).
struct Settings {
  int devices = 1;
  std::size_t memory = std::size_t{6} << 30;  ///< of each device
  int major = 9;                              ///< compute capability
  int minor = 0;
  bool busy = false;
  std::uint64_t refuse = 0;  ///< the call with this number fails, where not 0
  std::optional<std::uint64_t> seed;
  std::uint64_t delay_us = 0;  ///< a command starts up to so much late
  bool lazy = false;           ///< a kernel's first launch waits for the device
  bool trace = false;
  std::string record;  ///< file that gets a line for each command, where not empty
  std::string calls;   ///< file that gets what the simulator plays, where not empty

  static constexpr const char* name = "stand-in (no times)";
};

/// Ends the process with a sentence where the environment makes no sense.
Settings read_settings();

}  // namespace stand_in
