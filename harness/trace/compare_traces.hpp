// Two traces of the same work: what vanished, what grew.
#pragma once

#include "harness/trace/diagnosis.hpp"

namespace harness::trace {

/// One quantity in both traces, per step where both have steps (else over the whole of each).
struct TraceChange {
  std::string name;
  double before = 0;
  double after = 0;
  double difference() const { return after - before; }
};

struct TraceChanges {
  std::string differ =
      {};  // in what else than in what was changed the two differ, in a sentence; "" in nothing
  bool per_step = false;
  std::vector<TraceChange> uses;     // of the device's time, us; those that differ
  std::vector<TraceChange> ops;      // Self CPU, us, by falling size of the difference
  std::vector<TraceChange> kernels;  // device time, us, likewise
  std::vector<TraceChange> counts;   // launches, copies by kind, synchronizing calls
  std::vector<std::string> findings_gone;
  std::vector<std::string> findings_new;
};

/// `after` against `before`.
TraceChanges compare(const Diagnosis& after, const Diagnosis& before);

}  // namespace harness::trace
