// Why a device stood still: what the host did between the end of one piece of work and the start of the next.
#pragma once

#include "harness/trace/model_copies.hpp"
#include "harness/trace/timeline.hpp"
#include "harness/trace/window.hpp"

namespace harness::trace {

/// True of a call of the runtime that takes so long because a library or the device's context is made within
/// it.
bool initializes(const Event& call, std::string_view name);

/// True if the trace has operators, ranges or Python: what the host did between its calls of the runtime.
bool shows_host(const Trace& trace);

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

/// Host ranges that may have kept the device waiting, by time.
class IdleCauses {
 public:
  IdleCauses(const Trace& trace, const ModelCopies& model_copies);

  /// Appends the parts of the gap, which `after` ended (no_event: nothing did), with their causes. Of the
  /// host is only the time until the next piece lay launched.
  void explain(Span gap, EventId after, std::vector<Moment>& moments) const;

 private:
  static std::vector<Moment> disjoint(std::vector<Moment> ranges);
  void explain_host(Span gap, EventId after, std::vector<Moment>& moments) const;
  /// What the host does where no range says that it loads.
  void otherwise(Span part, EventId after, EventId sync, std::vector<Moment>& moments) const;
  /// The same before a batch, or what returns, is copied, and before another piece is launched.
  void explain_preparation(Span part, EventId copy, std::vector<Moment>& moments) const;
  void explain_launch(Span part, EventId after, std::vector<Moment>& moments) const;
  /// What tells a time in which the host calls nothing: the next piece, or behind the last one a function.
  EventId named_by(Span pause, EventId after) const;
  void add_data_waits();
  void add_calls();
  void join_waits();
  /// How long the host waited until that synchronization ended, in calls that follow each other closely.
  std::int64_t waited(const Event& sync) const;
  /// The synchronization during which the device ran dry at that time; no_event: none.
  EventId drained_by(std::int64_t time) const;
  /// True of a launch that takes as long as loading code does until its kernel begins.
  bool loads_code(EventId call, std::int64_t kernel_begins) const;
  /// A copy of a batch, or of less than that that the model asked for.
  bool copies_in(EventId work) const;

  const Trace& trace_;
  const ModelCopies& model_copies_;
  bool host_;                      // shows_host
  std::vector<HostPause> pauses_;  // none where host_ is false
  HostOperators operators_;
  OtherWork other_work_;
  std::vector<Moment> holding_;           // loads data or code; disjoint, of data loading the outermost
  std::vector<Moment> synchronizations_;  // disjoint; of overlapping ones the longest
  std::vector<Moment> copying_in_;        // calls that returned when their copy had ended
  Intervals waits_;                       // both, a little longer
};

}  // namespace harness::trace
