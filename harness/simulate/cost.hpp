// What recorded calls cost on a GPU that is described on paper.
#pragma once

#include "harness/simulate/gpu.hpp"
#include "harness/simulate/recording.hpp"
#include "harness/simulate/schedule.hpp"

#include <array>
#include <vector>

namespace harness::simulate {

/// What a time is of: the kinds whose errors are known by themselves.
enum class Kind { host, product, memory, pinned, pageable };
inline constexpr std::array kinds{Kind::host, Kind::product, Kind::memory, Kind::pinned, Kind::pageable};

/// Times of a kind, so many times as long: what an error of the model would do.
struct Shift {
  Kind kind = Kind::host;
  double times = 1;
  const std::vector<bool>* calls = nullptr;  // of these entries; null: of all
  bool waits = true;                         // of host times: what lies between calls and the device, too
};

/// The ways between host and device, and the gaps between commands, are a part of what a launch costs.
Rules shifted(Rules rules, const Shift& shift);

/// The recorded calls with their times.
Schedule schedule_of(const FormRecord& record, const Gpu& gpu, const Shift& shift = {});

}  // namespace harness::simulate
