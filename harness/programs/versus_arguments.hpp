// The command line of `tuneproof versus`, and what `tune` shares with it.
#pragma once

#include "harness/compare/ci.hpp"
#include "harness/programs/plan.hpp"
#include "harness/run/rounds.hpp"

namespace CLI {
class App;
}

namespace harness::programs {

/// How commands are run and what is compared, as typed.
struct CommonArguments {
  std::string metric, within, setup, prepare, delta, budget, seed, json, commit, shell = "sh";
  Plan plan;  // what needs no check
};

struct VersusArguments {
  CommonArguments common;
  std::vector<std::string> commands, names, parameters;
  std::string fail_above, resume;
  bool strict = false;
  compare::CiArguments ci;
};

/// Declares the options on the command.
void declare(CLI::App& command, CommonArguments& arguments);
void declare(CLI::App& command, VersusArguments& arguments);

/// Checked, but without commands. Throws BadInput, one sentence that names the argument.
Plan plan_of(const CommonArguments& arguments);
/// The checked plan of a session that begins. Throws as above.
Plan plan_of(const VersusArguments& arguments);

/// The smallest change of interest, a share.
double delta_of(const CommonArguments& arguments);
double delta_of(const VersusArguments& arguments);

run::Limits limits_of(const CommonArguments& arguments);

/// True if a slower command is to fail.
bool gates(const VersusArguments& arguments);

/// "3%", "3 %" or "3" as 0.03. Throws BadInput, which begins with `option`.
double share_of(const std::string& text, const char* option);

}  // namespace harness::programs
