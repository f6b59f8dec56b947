// What the training thread called: the calls that the user's code makes, in order.
#pragma once

#include "harness/trace/evidence.hpp"

namespace harness::trace {

/// The name of an operator in which autograd runs a node of the graph begins so.
inline constexpr std::string_view autograd_engine = "autograd::engine::evaluate_function";

/// True if a backward pass begins within an optimizer's step: step(closure) runs the forward and backward
/// passes as well, as LBFGS asks for and Lightning passes to each optimizer.
bool optimizer_runs_closures(const Trace& trace);

/// The operators of the training thread. An outer one lies within no other: the user's code called it, or
/// autograd's engine. Everything but the neighbours of a call covers the judged part of the trace.
class ThreadCalls {
 public:
  explicit ThreadCalls(const Evidence& evidence);

  /// All outer operators by time, those that are not judged as well.
  const std::vector<EventId>& outer() const { return outer_; }
  std::string_view name(EventId id) const { return evidence_.trace.name(evidence_.trace.events[id]); }
  /// True if the operator is judged and belongs neither to the data loader nor to the optimizer.
  bool counts(EventId id) const { return evidence_.judged[id] && where_[id] == Where::step; }

  /// Its time without that of the operators that it called.
  std::int64_t self_ns(EventId id) const { return self_[id]; }
  /// See optimizer_runs_closures().
  bool closures() const { return closures_; }
  /// How many calls take less than small_operator_ns by themselves.
  std::int64_t small() const;
  /// The innermost products, outside of the data loader.
  std::vector<EventId> products() const;
  /// Whether the products' types were recorded, and if so, whether most are not in FP32.
  bool types_known() const;
  bool products_are_narrow() const;
  /// True if most of the products' time is in FP64.
  bool products_are_double() const;

  double ranges_us(std::string_view beginning) const;  // ranges of that name
  double fills_us(std::string_view beginning) const;   // operators within them that fill with zeros

  /// True if the outer operators before this one only detach, as state_dict() does with each tensor.
  bool follows_state_dict(EventId next) const;
  /// True if the time before this operator filled a new tensor from a Python list: empty, then to and
  /// lift_fresh.
  bool made_of_list(EventId next) const;
  /// True if the time before this operator went to reading the shape and the type of such a list.
  bool reads_list(EventId next) const;

 private:
  enum class Where : std::uint8_t { elsewhere, step, loader, optimizer };

  Where place(EventId id) const;
  std::size_t position(EventId id) const;  // in outer_, of the operator around it

  const Evidence& evidence_;
  bool closures_;                   // an optimizer's range holds the whole step
  std::vector<std::int64_t> self_;  // by event
  std::vector<Where> where_;        // by event
  std::vector<EventId> thread_;     // the thread's operators and ranges, parents first
  std::vector<EventId> outer_;
};

}  // namespace harness::trace
