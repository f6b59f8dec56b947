// Why a device stood still: what the host did between the end of one piece of work and the start of the next.
#pragma once

#include "harness/trace/timeline.hpp"

#include <span>
#include <vector>

namespace harness::trace {

/// Host ranges that may have kept the device waiting, by time.
class IdleCauses {
 public:
  IdleCauses(const Trace& trace, const Nesting& nesting);

  /// Appends the parts of the gap, which `after` ended (no_event: nothing did), with their causes.
  void explain(Span gap, EventId after, std::vector<Moment>& moments) const;

 private:
  struct Held {
    Span span;
    EventId event = no_event;
  };
  void explain_host(Span gap, EventId after, std::vector<Moment>& moments) const;
  void add_data_waits(const Trace& trace);
  void add_synchronizations(const Trace& trace, const Nesting& nesting);
  /// The synchronization during which the device ran dry at that time; no_event: none.
  EventId drained_by(std::int64_t time) const;
  bool brings_data(EventId work) const;

  const Trace& trace_;
  const Nesting& nesting_;
  std::vector<Held> data_waits_;        // outermost ones, disjoint
  std::vector<Held> synchronizations_;  // disjoint; of overlapping ones the longest
};

}  // namespace harness::trace
