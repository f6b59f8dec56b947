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

  /// Appends the parts of the gap, which `after` ended (no_event: nothing did), with their causes. Of the
  /// host is only the time until the next piece lay launched.
  void explain(Span gap, EventId after, std::vector<Moment>& moments) const;

 private:
  struct Held {
    Span span;
    EventId event = no_event;
    Use use = Use::wait_input;
  };
  static std::vector<Held> disjoint(std::vector<Held> ranges);
  void explain_host(Span gap, EventId after, std::vector<Moment>& moments) const;
  /// What the host does where no range says it.
  Moment otherwise(Span part, EventId after, EventId sync) const;
  void add_data_waits();
  void add_calls();
  /// The synchronization during which the device ran dry at that time; no_event: none.
  EventId drained_by(std::int64_t time) const;
  /// A copy of a batch, or of less than that that the model asked for.
  bool copies_in(EventId work) const;

  const Trace& trace_;
  const Nesting& nesting_;
  std::vector<Held> holding_;           // loads data or code; disjoint, of data loading the outermost
  std::vector<Held> synchronizations_;  // disjoint; of overlapping ones the longest
};

}  // namespace harness::trace
