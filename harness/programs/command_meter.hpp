// Runs a command of a plan and takes its metric; of a training the time of a step, which the recorder of
// `watch` takes inside its Python, without the profiler.
#pragma once

#include "harness/programs/last_match.hpp"
#include "harness/programs/plan.hpp"
#include "harness/programs/timed_run.hpp"
#include "harness/run/run_output.hpp"
#include "harness/support/scratch_folder.hpp"
#include "harness/support/signals.hpp"

namespace harness::programs {

/// The run of a command has failed, and why.
class RunFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A private folder with the recorder and what it notes; it goes with its owner.
class StepTimes {
 public:
  /// `most`: steps after which the training is ended; 0: it goes on to its own end. Throws BadInput where the
  /// temporary folder cannot be written.
  explicit StepTimes(std::int64_t most);

  /// "PYTHONPATH=...", by which the command's Python finds the recorder.
  std::string environment() const;
  /// Forgets what the last run has noted.
  void clear() const;
  /// Steps behind which step times had settled, and the time that they took together.
  struct Seen {
    std::int64_t steps = 0;
    double seconds = 0;
    double step() const { return seconds / static_cast<double>(steps); }
  };
  /// In the last run, or so far in the present one; of several processes the slowest of those that made most
  /// steps. Nothing where none was seen.
  std::optional<Seen> seen() const;

 private:
  ScratchFolder folder_;
};

/// What one run gave.
struct Measured {
  double value = 0;                           // of the metric; where more is better its reciprocal
  std::string same;                           // what --same-output matched last
  std::optional<StepTimes::Seen> steps = {};  // of a metric `step`
  TimedRun run;
};

/// Why the second output may not stand beside the first (--same-output, --within); empty where it may.
std::string why_not_same(const Plan& plan, const std::string& first, const std::string& other);

/// Hears how far a training has come; true ends it.
using Watch = std::function<bool(const StepTimes::Seen& seen)>;

class CommandMeter {
 public:
  /// All must outlive it. Throws BadInput where the metric cannot be taken here, or a command be read.
  CommandMeter(const Plan& plan, run::RunOutput& output, SignalWatch& signals);

  /// Runs --setup, then `body`, then --cleanup, whatever has ended them. Throws BadInput where --setup fails.
  /// A --cleanup that fails is reported and throws nothing: the results are kept. It outlasts one signal, and
  /// has as long as --timeout says, or `clean_up_within` if that is less.
  void between_hooks(const std::function<void()>& body);

  /// Runs the command, --prepare before it. Throws RunFailed; BadInput where --prepare fails. Nothing was
  /// measured once there is a signal, or `watch` has ended it: it is asked twice a second of a metric `step`.
  Measured measure(const Candidate& candidate, const Watch& watch = {});
  /// The same without --same-output: to look for it in each line would take part in the time.
  Measured time(const Candidate& candidate);

  /// No run goes on behind `end`, nor is one begun there, but for --cleanup.
  void end_at(std::chrono::steady_clock::time_point end) { end_ = end; }
  /// How long --cleanup may take once what it follows has ended.
  void clean_up_within(Seconds time) { cleanup_time_ = time; }
  /// The first that came.
  std::optional<int> signal() const { return signal_; }
  /// By a signal or by `end_at`: nothing more was measured.
  bool is_ended() const { return signal_ || out_of_time_; }

 private:
  Command command_of(const std::string& text) const;
  void note_end(const TimedRun& run);
  void set_up();
  void clean_up();
  /// Runs a hook as the order says besides. Why it failed; empty where it did not, or was ended.
  std::string run_hook(const std::string& text, const char* option, RunOrder order);
  Measured run(const Candidate& candidate, const Watch& watch, bool for_time);
  TimedRun run_counted(RunOrder order, double& instructions);
  double value_of(const Measured& measured, double printed, double instructions) const;

  const Plan& plan_;
  run::RunOutput& output_;
  SignalWatch& signals_;
  Seconds timeout_;
  std::optional<LastMatch> printed_, same_;
  std::optional<StepTimes> steps_;
  bool count_by_valgrind_ = false;
  std::optional<int> signal_;
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::time_point::max();
  bool out_of_time_ = false;
  std::optional<Seconds> cleanup_time_;
};

}  // namespace harness::programs
