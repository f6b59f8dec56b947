// What recorded calls cost on a GPU that is described on paper, and what PyTorch's profiler would call
// them, so that `diagnose` knows their kinds.
#pragma once

#include "harness/simulate/gpu.hpp"
#include "harness/simulate/recording.hpp"
#include "harness/simulate/simulated_timeline.hpp"

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

// What commands cost the device of a GPU on paper.

/// Bytes a second at which the host moves pageable memory for a copy: its own, or that of hosts with this
/// link.
double staging_rate(const Gpu& gpu);

/// Seconds that a kernel takes by its bytes, its FLOP or its given duration. Throws BadInput where the GPU
/// lacks the rate of the kernel's unit.
double kernel_seconds(const Entry& kernel, const Gpu& gpu);

/// Seconds that a copy keeps its engine.
double copy_seconds(const Entry& copy, const Gpu& gpu);

/// "Memcpy HtoD (Pageable -> Device)" of a copy; of an operator's kernel a name that says product,
/// convolution, reduction or elementwise work, and the operator; of any other kernel its own name.
std::string profiler_name(const Entry& entry);

}  // namespace harness::simulate
