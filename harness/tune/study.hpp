// Optuna in the environment's Python, which says what to try next: python/tuneproof_study.py.
#pragma once

#include "harness/support/conversation.hpp"
#include "harness/support/field.hpp"
#include "harness/tune/knobs.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::tune {

enum class State { complete, pruned, failed };

/// One run of the command.
struct Tried {
  int number = 0;
  Settings settings;
  State state = State::complete;
  double value = 0;         // of the metric, where it is complete
  std::string output = {};  // what --keep found
};

struct StudyPlace {
  std::string python = "python3";  // looked for on PATH
  std::string storage;             // SQLite file
  std::string name;                // of the study in it: the search of another command has another one
  std::uint64_t seed = 0;
};

/// Every function throws BadInput, one sentence that says what to do, where there is no Python, no Optuna,
/// or the study cannot be used.
class Study {
 public:
  /// Opens the study or makes it. The first trial of a new one is the command as it stands.
  Study(const Template& command, const StudyPlace& place);

  /// What it held when it was opened.
  const std::vector<Tried>& tried() const { return tried_; }
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
  Conversation python_;
  std::vector<Tried> tried_;
  std::string version_;
};

/// The text of tuneproof_study.py.
std::string_view study_script();
/// What pip installs, in the version that the tests ran with: scripts/versions.sh.
std::string_view optuna_wheel();

}  // namespace harness::tune
