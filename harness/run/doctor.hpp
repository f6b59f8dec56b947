// `tuneproof doctor`: is this machine fit to measure on? Each check is one line of its report: what was
// found, how much it matters, and what fixes it. What it asks of the host is in /proc and /sys; nothing here
// needs root.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/machine/host.hpp"
#include "harness/support/terminal.hpp"

namespace harness::run {

/// good: fit. note: worth knowing, nothing to fix. warn: results will be noisier, or some steps cannot run.
/// bad: a GPU is there and cannot be used. unknown: this machine does not say.
enum class Fitness { good, note, warn, bad, unknown };

struct Check {
  std::string name;
  Fitness fitness = Fitness::unknown;
  std::string value = {};    // what was found
  std::string matters = {};  // why that matters for measuring
  std::string fix = {};      // the command that fixes it; empty where nothing is to be done
};

/// The check, good where all is well; else `otherwise`, with the reason and the command that fixes it.
Check judged(Check check, bool well, Fitness otherwise, std::string matters, std::string fix = {});

/// "ok", "note", "warn", "BAD" or "?".
std::string_view to_string(Fitness fitness);

/// Declares the subcommand.
void add_doctor(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

/// One line per check; why it matters and how to fix it below those that are not well.
std::string doctor_text(const std::vector<Check>& checks, const Style& style);
/// The same as JSON; null where unknown.
std::string doctor_json(const std::vector<Check>& checks);
/// 1 where a GPU is present but unusable, else 0.
int doctor_exit(const std::vector<Check>& checks);

/// One check per subject, in the order in which they are printed.
std::vector<Check> host_checks(const SystemFiles& files);

}  // namespace harness::run
