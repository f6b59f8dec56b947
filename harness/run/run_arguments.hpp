// What was asked of `tuneproof run`, from the command line to checked values.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/results/results.hpp"
#include "harness/run/select.hpp"

namespace CLI {
class App;
}

namespace harness::run {

constexpr int most_threads = 4096;

/// As typed.
struct RunArguments {
  std::vector<std::string> patterns;
  std::string suite;  // one of suite_names; empty: quick without patterns, full with them
  std::string device = "auto";
  std::string budget;
  std::string timeout = "5m";
  std::string json;
  std::string resume;
  std::string seed;  // empty: random
  int threads = 0;   // 0: as many as there are cores
  int looks = 1;     // 0: rounds are allotted; what `run` does by itself
  int pairs = 1;     // 0: on a device by the share of a round that is timed; what `run` does by itself
  std::vector<std::string> points;
  bool dry_run = false;
  bool details = false;
  bool leave_one_out = false;
  bool profile = false;
  std::string profile_schedule;  // empty: rung_schedule
  std::string profile_out = "profiles";
  std::map<std::string, std::string> options;  // of the workloads; empty where not given
  std::string count;                           // "instructions"; empty: not counted
};

/// Declares the arguments on `run`. The two must outlive the parsing.
void declare(CLI::App& run, RunArguments& arguments, const catalogue::Catalogue& catalogue);
/// Of these, the ones of any command that runs steps: where, at which points, with which options.
void declare_surroundings(CLI::App& command, RunArguments& arguments, const catalogue::Catalogue& catalogue);

/// Decimal, or hexadecimal as the results file has it. Throws BadInput, naming --seed.
std::uint64_t parse_seed(const std::string& text);

/// The names of all suites.
std::vector<std::string> suite_texts();

/// "scale" of "--scale" or "scale".
std::string option_name(const std::string& name);

/// Of made-up data where --seed does not say: always the same, so that counts can be compared.
constexpr std::uint64_t usual_data_seed = 1;

/// Checked, and with what was left out filled in. `selection.has_cuda` is not known yet.
struct RunPlan {
  Selection selection = {};
  results::Session session = {};  // but for what is known once it begins
  std::optional<Duration> budget = {};
  Duration timeout = {};
  std::optional<results::Schedule> profile = {};  // of `run --profile`
};

/// What `run --profile` records where nothing else is said: a row may be a whole epoch.
inline constexpr results::Schedule rung_schedule{.wait = 2, .warmup = 2, .active = 5, .repeat = 1};

/// The part of a plan that an interrupted session gets anew. Throws BadInput, as below.
RunPlan plan_limits(const RunArguments& arguments);
/// Throws BadInput, one sentence that names the argument.
RunPlan plan_run(const RunArguments& arguments);

}  // namespace harness::run
