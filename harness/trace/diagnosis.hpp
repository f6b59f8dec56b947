// The whole diagnosis of one trace: what `tuneproof diagnose` prints and writes.
#pragma once

#include "harness/trace/collectives.hpp"
#include "harness/trace/device_time.hpp"
#include "harness/trace/efforts.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/host_figures.hpp"
#include "harness/trace/kernels.hpp"
#include "harness/trace/op_table.hpp"
#include "harness/trace/regime.hpp"
#include "harness/trace/window.hpp"

namespace harness::trace {

/// What part of the trace is asked about.
struct DiagnosisQuestion {
  WindowChoice window;
  std::string phase = {};  // --phase: only what runs in ranges of this name; "" everything
  bool by_shape = false;   // --by-shape: operators with different input shapes are rows of their own
  std::string peaks = {};  // --peaks: a file with the device's peaks
};

/// One step and what bounds it. The first and the last of several hold the profiler's start and stop as well.
struct StepDiagnosis {
  std::string name;
  Span span = {};   // of the device's time where the host runs ahead, else of the host's
  Span asked = {};  // when the host asked for its work
  double us = 0;
  Shares shares = {};
  RegimeVerdict judgement = {};
  bool edge = false;
  bool cut_off = false;                // the program ended in it
  bool judged = false;                 // counts for the verdict over all
  std::optional<Regime> without = {};  // the verdict over all but this step, where that is another
};

/// One rank. `device`, `host`, `kernels` cover `window`; the verdict and the findings cover the judged steps.
struct Diagnosis {
  std::string file;
  std::int64_t rank = absent;
  std::int64_t world_size = absent;
  std::int64_t events = 0;
  std::vector<std::string> remarks;  // what the reader met that is not as it should be
  bool simulated = false;            // predicted by simulate --trace, not recorded
  DeviceProperties properties;       // of the device that worked longest, else of the first; name "": none
  std::shared_ptr<const DeviceModel> model;  // its peaks; null: not known
  bool shapes_recorded = false;
  bool device_activity = false;
  bool host_judged = false;  // no device worked; the verdict is over the training thread's time
  Window window;
  std::string phase;     // what was asked for; "" everything
  ProgramFacts program;  // what the recorder of `tuneproof watch` knew

  OpTable ops;
  std::vector<DeviceTime> device;
  HostTime host;
  KernelSummary kernels;
  std::vector<EffortRow> efforts;
  std::vector<GroupTime> groups;  // in the judged time
  std::vector<StepDiagnosis> steps;
  Shares shares;
  std::int64_t judged_steps = 0;  // 0: the whole recording was judged
  RegimeVerdict verdict;
  std::vector<Finding> findings;

  bool judged() const { return device_activity || host_judged; }
};

/// Throws BadInput where the chosen steps or the phase are not in the trace, naming those that are.
Diagnosis diagnose(const Trace& trace, const DiagnosisQuestion& question = {}, const HasStep& has_step = {});

/// The time of one step: the median of the judged ones; 0 where there are none.
double step_us(const Diagnosis& diagnosis);

}  // namespace harness::trace
