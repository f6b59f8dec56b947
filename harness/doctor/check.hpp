// One line of `tuneproof doctor`.
#pragma once

#include <string>
#include <string_view>

namespace harness::doctor {

/// good: fit. note: worth knowing, nothing to mend. warn: results will be noisier, or some steps cannot run.
/// bad: a GPU is there and cannot be used. unknown: this machine does not say.
enum class Fitness { good, note, warn, bad, unknown };

struct Check {
  std::string name;
  Fitness fitness = Fitness::unknown;
  std::string value = {};    // what was found
  std::string matters = {};  // why that matters for measuring
  std::string mend = {};     // the command that mends it; empty where nothing is to be done
};

/// "ok", "note", "warn", "BAD" or "?".
std::string_view to_string(Fitness fitness);

}  // namespace harness::doctor
