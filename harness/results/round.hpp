// One round of a session: a fresh process that took every row still open, and what disturbed it.
#pragma once

#include "harness/support/field.hpp"

namespace harness::results {

/// What else went on while a worker measured (docs/measuring.md 6). A canary is fixed work, timed at
/// begin, middle and end: where it takes longer, it is the machine and not the form.
struct Disturbance {
  std::int64_t involuntary_switches = 0;
  std::vector<double> canary_seconds = {};
  std::vector<double> gpu_canary_seconds = {};   // empty without a CUDA row
  std::vector<double> copy_canary_seconds = {};  // 16 MiB, pinned, to the device
  std::optional<std::uint64_t> slowdowns = {};   // bits of nvmlClocksEventReason seen; empty without NVML
};

/// What disturbed two workers together.
void add(Disturbance& all, const Disturbance& more);

struct Round {
  int round = 0;       // from 0
  double start = 0;    // seconds since the session began; of a resumed one, since it was resumed
  double seconds = 0;  // process start to process end
  int workers = 0;     // processes: more than one where a row has ended its own
  Disturbance disturbance;
  double steal_seconds = 0;              // taken by other guests of the host, all CPUs together
  std::optional<double> other_cpu = {};  // share of all CPUs' time that other work took; empty: not known
};

Json disturbance_to_json(const Disturbance& disturbance);
Disturbance disturbance_from_json(const Field& json);
Json round_to_json(const Round& round);
Round round_from_json(const Field& json);

}  // namespace harness::results
