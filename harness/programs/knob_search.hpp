// Tries settings one after the other, as the study asks for them.
#pragma once

#include "harness/programs/knobs.hpp"
#include "harness/programs/plan.hpp"
#include "harness/programs/proof_room.hpp"
#include "harness/programs/timed_run.hpp"
#include "harness/run/run_output.hpp"
#include "harness/support/fd.hpp"
#include "harness/support/field.hpp"
#include "harness/support/run_program.hpp"
#include "harness/support/signals.hpp"

namespace harness::programs {

// Optuna in the environment's Python, which says what to try next: tuneproof_study.py.

enum class State { complete, pruned, failed };

/// One run of the command.
struct Tried {
  int number = 0;
  Settings settings;
  State state = State::complete;
  double value = 0;         // of the metric, where it is complete
  std::string output = {};  // what --keep found
  double seconds = 0;       // that it took
};

struct StudyPlace {
  std::string python = "python3";  // looked for on PATH
  std::string storage;             // SQLite file
  std::string name;                // of the study in it: the search of another command has another one
  std::uint64_t seed = 0;
};

/// A signal that ends a program came while Optuna was asked.
struct Stopped {
  int signal = 0;
};

/// Every function throws BadInput, one sentence that says what to do, where there is no Python, no Optuna,
/// or the study cannot be used; and Stopped. While it lives, no other tuneproof uses its file. A trial that
/// was asked for and not told fails in the study at its end.
class Study {
 public:
  /// Opens the study or makes it. The first trial of a new one is the command as it stands. Optuna has to
  /// answer by `end`, this time and each time, or within ten seconds.
  Study(const Template& command, const StudyPlace& place, std::chrono::steady_clock::time_point end,
        SignalWatch& signals);

  /// What it held when it was opened.
  const std::vector<Tried>& tried() const { return tried_; }
  /// Trials that it holds besides: cut, or of a command that failed as it stands.
  std::int64_t uncounted() const { return uncounted_; }
  /// "Optuna 5.0.0".
  const std::string& version() const { return version_; }
  /// What to try next; nothing where everything was tried.
  std::optional<Tried> ask();
  /// True if the trial is to be given up: others were faster after as many steps.
  bool give_up(int number, std::int64_t steps, double seconds);
  void tell(const Tried& tried);

 private:
  Json answer_to(const Json& question);

  StudyPlace place_;
  Fd only_writer_;
  std::chrono::steady_clock::time_point end_;
  SignalWatch& signals_;
  Conversation python_;
  std::vector<Tried> tried_;
  std::int64_t uncounted_ = 0;
  std::string version_;
};

/// The text of tuneproof_study.py.
std::string_view study_script();
/// What pip installs, in the version that the tests ran with: scripts/versions.sh.
std::string_view optuna_wheel();

struct SearchPlan {
  Plan plan;  // how a command is run and what is compared; the command as it stands is its only one
  std::string prepare = {}, setup = {};
  std::string per = {};  // the knob that the metric is divided by; empty: none
  int trials = 40;
  std::optional<Seconds> budget = {};
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();  // of the budget

  std::chrono::steady_clock::time_point end() const;
  /// When the search ends, with the trial in flight: it leaves the proof two fifths of the budget, and at
  /// least what it keeps for it.
  std::chrono::steady_clock::time_point end(Seconds kept) const;
  /// When no answer of Optuna's is waited for any longer: with the budget's overtime.
  std::chrono::steady_clock::time_point last_answer() const;
};

/// The command at these settings, as one that versus compares.
Candidate candidate_at(const Template& command, const SearchPlan& plan, const Settings& settings);

struct Searched {
  std::vector<Tried> tried;  // those of earlier searches in the same study first
  Proof proof = {};          // what is known of the time that one takes
  std::optional<int> signal = {};
};

/// Throws BadInput where the command as it stands fails, for then there is nothing to compare with.
Searched search(const Template& command, const SearchPlan& plan, Study& study, run::RunOutput& output,
                SignalWatch& signals);

/// The best settings but the standard ones, the fastest first, and each command once: {a:x,} {b:,x} has two
/// that are the same text.
std::vector<Tried> best_of(const std::vector<Tried>& tried, const Template& command, std::size_t most);

}  // namespace harness::programs
