// What the host did while a device idled, beyond asking for work: long times in which it asked for nothing,
// and what it runs before it copies a batch without preparing one.
#pragma once

#include "harness/trace/trace.hpp"
#include "harness/trace/window.hpp"

namespace harness::trace {

/// A millisecond or longer in which no thread begins or ends an operator or a call of the runtime, or behind
/// the last of them until the host's ranges end. `cause` is the innermost operator around it; no_event: none.
struct HostPause : Span {
  EventId cause = no_event;
};
/// By time, disjoint; none within a call of the runtime, nor within an operator that asks a device for work:
/// it is a slow call of that work.
std::vector<HostPause> host_pauses(const Trace& trace);

/// The outermost operators of the threads that launch work, but for views and frames.
class HostOperators {
 public:
  HostOperators(const Trace& trace);

  /// Of those that lie wholly within a time in which nothing is launched, and so compute on the host, the
  /// longest; no_event where they do not take half of it.
  EventId filling(Span time) const;

 private:
  const Trace& trace_;
  std::vector<EventId> operators_;  // by their begin
};

/// Work of the host that prepares no batch: the optimizer's and the model's ranges, and where Python was
/// recorded functions of a millisecond or longer whose names do not speak of data.
class OtherWork {
 public:
  OtherWork(const Trace& trace);

  /// Its pieces within a time that ends with a copy, by time, disjoint.
  std::vector<HostPause> before(Span time) const;

 private:
  std::vector<HostPause> outermost_functions(Span time) const;

  std::vector<HostPause> ranges_;  // disjoint
  /// By their begin, the outer before the inner; without a cause where they may prepare data.
  std::vector<HostPause> functions_;
};

}  // namespace harness::trace
