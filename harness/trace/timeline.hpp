// What each moment of a device was spent on, without overlap, and why it stood still: the basis of the
// verdict.
#pragma once

#include "harness/trace/accelerators.hpp"
#include "harness/trace/efforts.hpp"
#include "harness/trace/launch_calls.hpp"
#include "harness/trace/trace.hpp"

#include <array>

namespace harness::trace {

/// What a moment goes to. Where several things run at once, the first of this list that does counts: copies
/// and communication hidden behind kernels cost nothing.
enum class Use : std::uint8_t {
  arithmetic,     // kernels bound by FLOP: products above the device's balance
  memory,         // kernels of other known kinds, fills, copies within the device
  unknown_work,   // kernels whose names tell nothing, an accelerator that does not say what it did
  communication,  // collectives and nothing else
  copy_in,        // host to device and nothing else
  copy_out,       // device to host and nothing else
  copy_model,     // host to device within the forward or the backward pass, and nothing else
  wait_input,     // idle: the host loads data, or prepares what the next copy brings
  wait_sync,      // idle: the host waited for the device and then had nothing queued
  wait_launch,    // idle: the host had not launched the next piece yet, and was busy calling
  between,        // idle although launched: the device's own gap between two pieces
  wait_other,  // idle although launched, 30 us or longer: another stream, an event, what was not recorded; of
               // a thread: another thread
  start_up,    // idle: a launch loads code, as on the first use of a kernel; no verdict counts it
  host_operator,  // idle: the host runs an operator itself for a millisecond or longer, or its optimizer
  // Of a training thread, where no device worked (host_use.hpp); the loader's operators, then the rest.
  transform,
  small_operators,
  python,
  outside  // no operator runs for a millisecond or longer; of a device too, if it idles meanwhile
};
inline constexpr std::size_t use_count = 18;

/// A moment. `cause` is the event to blame: the work itself; of waiting for input the range that loaded, of a
/// synchronization the call that waited, of the host's own work the operator, range or function, else the
/// work that ended the gap. May be no_event.
struct Moment : Span {
  Use use = Use::arithmetic;
  EventId cause = no_event;
};

/// The device that worked longest; absent where none did, or where its work carries no number.
std::int64_t working_device(const Trace& trace);

/// Of that device, from the host's first event to the last one; where none worked, of the training thread;
/// empty where neither can be judged.
struct Timeline {
  std::int64_t device = absent;
  bool of_host = false;
  std::vector<Moment> moments;       // by time, without holes
  std::vector<LaunchCall> launches;  // by time
  std::string doubt = {};            // why its times cannot be judged; "" they can
  bool causes_known = true;          // why the device idled
  Maker maker = Maker::unknown;      // of the device
};

/// `efforts` and `model` refine arithmetic against memory where shapes were recorded; model may be nullptr.
Timeline timeline(const Trace& trace, const Efforts& efforts, const DeviceModel* model);

/// Forgets why the device idled.
void forget_causes(Timeline& timeline);

/// How much of some spans went to each use, in microseconds.
struct Shares {
  double window_us = 0;  // length of the spans
  bool of_host = false;  // a thread's, not a device's
  LaunchCount launches = {};
  std::string doubt = {};    // as of the time line
  bool causes_known = true;  // likewise
  Maker maker = Maker::unknown;
  std::array<double, use_count> us{};
  double operator[](Use use) const { return us[static_cast<std::size_t>(use)]; }
  double share(Use use) const { return window_us > 0 ? (*this)[use] / window_us : 0; }
  /// True where graphs are advice: of a device that has CUDA's, or HIP's, and launched none.
  bool may_lack_graphs() const { return launches.may_lack_graphs() && maker != Maker::other; }
  Shares& operator+=(const Shares& other);
};

/// `asked`: when the host launched what ran in the spans, where that is another time.
Shares shares(const Timeline& timeline, std::span<const Span> spans, std::span<const Span> asked = {});

std::string_view to_string(Use use);

}  // namespace harness::trace
