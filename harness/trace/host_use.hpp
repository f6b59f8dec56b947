// What each moment of the training thread was spent on, where no device worked: the basis of a CPU run's
// verdict.
#pragma once

#include "harness/trace/timeline.hpp"
#include "harness/trace/trace.hpp"

namespace harness::trace {

/// An operator whose own time is below this costs about as much to call as to run (docs/diagnose.md).
inline constexpr std::int64_t small_operator_ns = 10'000;
/// Python needs no such time from one operator to the next: a longer gap is work that PyTorch does not see.
inline constexpr std::int64_t outside_ns = 1'000'000;

/// FLOP per byte: a core's second-level cache delivers up to 64 bytes in the time of 32 FLOP or more, memory
/// far fewer (docs/diagnose.md).
inline constexpr double thin_on_host = 1;

/// What an operator of the host does, told by its name.
enum class HostWork : std::uint8_t {
  product,        // matrix products, convolutions, attention
  moving,         // other operators of ATen and its libraries: they move more than they compute
  calling,        // views, autograd's own frames: nothing but calls
  communication,  // collectives
  unknown         // operators that others wrote
};
HostWork host_work(std::string_view name);
/// An operator of ATen's that only looks at its tensor in another way: it does no work.
bool is_view(std::string_view name);
/// One of ATen's that works element by element, so that a compiler joins it with others of its kind.
bool is_elementwise(std::string_view name);

/// The training thread: the one of the ProfilerStep#N ranges, else the one whose operators take longest; no
/// track (no_event) where there are neither.
std::uint32_t training_thread(const Trace& trace);

/// The training thread's time; empty where the trace speaks of a device, whose work was not recorded: the
/// host's time alone would mislead. The cause of a gap between operators is the operator that ended it, or
/// the collective of another thread that the gap waited for; of any other moment it is the operator or range
/// itself.
Timeline host_timeline(const Trace& trace);

/// True if the thread ran operators or loaded data; without either the trace shows nothing of it. A moment in
/// which no steps are marked is a try of some operators, and shows nothing of a training.
bool shows_work(const Shares& shares, bool stepped);

}  // namespace harness::trace
