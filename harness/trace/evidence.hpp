// What the rules of the findings look at, and who is to blame for a share of time.
#pragma once

#include "harness/trace/device_time.hpp"
#include "harness/trace/host_figures.hpp"
#include "harness/trace/kernels.hpp"
#include "harness/trace/op_table.hpp"
#include "harness/trace/timeline.hpp"

namespace harness::trace {

/// Everything known of one rank, within the part of the trace that is judged.
struct Evidence {
  const Trace& trace;
  const Timeline& timeline;
  const OpTable& ops;
  const std::vector<DeviceTime>& devices;
  const HostTime& host;
  const KernelSummary& kernels;
  const DeviceModel* model = nullptr;
  DeviceProperties device = {};   // of the device that is judged, else of the first
  std::vector<Span> spans = {};   // the steps that are judged, or the whole recording
  std::vector<bool> judged = {};  // by EventId: started, or was launched, in one of the spans
  Shares shares = {};
  bool stepped = false;         // the spans are steps
  std::string impossible = {};  // events whose times cannot be true, in words; "" none

  double window_us() const { return shares.window_us; }
  /// The judged events of that kind.
  std::vector<EventId> judged_of(Kind kind) const;
  double per_step(double us) const { return spans.empty() ? us : us / static_cast<double>(spans.size()); }
  /// "43.9 ms a step", or "1.2 s" where there are no steps.
  std::string each(double us) const;
};

/// Time that has one cause: an operator, a range, a call.
struct Blame {
  std::string name;        // "aten::item", "enumerate(DataLoader)#...", "cudaDeviceSynchronize"; "" unknown
  std::string where = {};  // "train.py(42): step"; "" without stacks
  std::int64_t count = 0;
  double us = 0;
};

/// The time of one use within the spans by who asked for its cause, falling. `counts` chooses causes; empty:
/// all.
std::vector<Blame> blame(const Evidence& evidence, Use use, const std::function<bool(EventId)>& counts = {});

/// Of two events, of which the first may not be there (no_event), the longer.
EventId longer(const Trace& trace, EventId known, EventId id);

/// " at train.py(42): step" of an event; "" without stacks, or of no_event.
std::string at_site(const Evidence& evidence, EventId event);

/// The option that records more, as whoever recorded the trace gives it: `tuneproof watch`'s, or torch's.
std::string_view option(const Evidence& evidence, std::string_view of_watch, std::string_view of_torch);

/// Sum over the blames.
double total_us(const std::vector<Blame>& blames);

/// What these operators cost, of which none lies within another: on a device the time of the work that was
/// asked for within them, else their own.
double work_us(const Evidence& evidence, const std::vector<EventId>& operators);

/// " (most by aten::item at train.py(42): step)"; "" where nobody is known.
std::string most_by(const std::vector<Blame>& blames);

}  // namespace harness::trace
