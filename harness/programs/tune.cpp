#include "harness/core/parse_number.hpp"
#include "harness/programs/knob_search.hpp"
#include "harness/programs/proof_room.hpp"
#include "harness/programs/session.hpp"
#include "harness/programs/versus.hpp"
#include "harness/programs/versus_arguments.hpp"
#include "harness/run/rounds.hpp"
#include "harness/run/run_arguments.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usage.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace harness::programs {
namespace {

constexpr std::size_t most_proven = 3;

constexpr auto tune_examples =
    "COMMAND has knobs in it: {batch:16,32,64}, {workers:0..8}, {compile:,--compile}. With the first\n"
    "value of each it is the command as it stands, which everything is compared with. A search shows\n"
    "its luckiest trial, so the three best are then measured anew, as `tuneproof versus` does.\n"
    "A search that was stopped goes on where it was: its trials are in the file of --storage.\n"
    "\n"
    "Exit code 0: searched and measured, whatever was found. 1: wrong use, or a command failed.\n"
    "130: stopped by Ctrl-C.\n"
    "\n"
    "Examples:\n"
    "  tuneproof tune 'python train.py --workers {workers:0..8}' --metric step --steps 50\n"
    "  tuneproof tune 'python train.py --batch {batch:16,32,64} {c:,--compile}' --metric step \\\n"
    "    --per batch --keep 'loss=(\\S+)' --within 2%\n"
    "  tuneproof tune 'OMP_NUM_THREADS={threads:1,2,4,8} ./solve' --budget 30m";

struct TuneArguments {
  std::string command, per, python = "python3", storage = "tune.db";
  int trials = 40;
  CommonArguments common;
};

void declare(CLI::App& command, TuneArguments& arguments) {
  command.add_option("COMMAND", arguments.command, "A command with knobs in it, in quotes")->required();
  takes_number(command.add_option("--trials", arguments.trials, "How many settings to try; default: 40"), 1,
               100'000)
      ->option_text("N");
  add_value(command, "--per", arguments.per, "KNOB",
            "Divide the metric by this knob: with batch, the time of a step becomes that of a sample");
  add_value(command, "--storage", arguments.storage, "FILE",
            "SQLite file that keeps the trials; default: tune.db");
  add_value(command, "--python", arguments.python, "PROGRAM", "The Python that has Optuna; default: python3");
  programs::declare(command, arguments.common);
  command.footer(tune_examples);
}

/// A knob that divides holds numbers only.
void check_divisor(const Template& command, const std::string& per) {
  if (per.empty()) return;
  const auto knob = std::ranges::find(command.knobs(), per, &Knob::name);
  if (knob == command.knobs().end())
    throw BadInput(fmt::format("--per {}: the command has no such knob", per));
  for (const auto& value : knob->values)
    if (const auto number = parse_number<double>(value); !number || !(*number > 0))
      throw BadInput(fmt::format("--per {}: its value {} is not a number above 0", per, shown(value)));
}

SearchPlan plan_of(const TuneArguments& arguments, const Template& command) {
  SearchPlan plan{.plan = programs::plan_of(arguments.common),
                  .prepare = arguments.common.prepare,
                  .setup = arguments.common.setup,
                  .per = arguments.per,
                  .trials = arguments.trials};
  check_divisor(command, plan.per);
  plan.plan.candidates = {candidate_at(command, plan, command.standard())};
  if (const auto budget = limits_of(arguments.common).budget) plan.budget = budget->time;
  return plan;
}

/// Another command, or another metric, is another search in the same file.
std::string study_name(const TuneArguments& arguments, const SearchPlan& plan) {
  auto name = arguments.command + " by " + std::string(to_string(plan.plan.metric));
  for (const auto* part : {&plan.plan.printed, &plan.per, &plan.plan.same_output, &plan.plan.within})
    if (!part->empty()) name += " / " + *part;
  return name;
}

/// As many as the study holds.
std::string trials_text(std::size_t trials, const Study& study) {
  const auto text = fmt::format("{} {}", trials, trials == 1 ? "trial" : "trials");
  return study.uncounted() == 0 ? text : fmt::format("{} and {} that did not count", text, study.uncounted());
}

std::string measured_text(std::size_t best) {
  if (best == 0) return {};
  return best == 1 ? "; the best is measured anew" : fmt::format("; the best {} are measured anew", best);
}

/// What was proven, in a sentence.
std::string conclusion(const results::Results& results, const Plan& plan) {
  const results::Row* best = nullptr;
  std::size_t place = 0;
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    const auto& row = results.rows[i];
    if (row.judged.verdict != Verdict::helps) continue;
    if (best != nullptr && row.judged.ratio >= best->judged.ratio) continue;
    best = &row;
    place = i + 1;
  }
  if (best == nullptr)
    return "Nothing better than the command as it stands was proven. More rounds may tell: --budget.";
  return fmt::format("Proven: {} ({} % by the search's metric).\nTake: {}", words_of(plan).less,
                     percent_text(best->judged.ratio), plan.candidates.at(place).command);
}

/// The command as it stands and these.
Plan proof_of(const Template& command, const SearchPlan& plan, const std::vector<Tried>& best) {
  auto proof = plan.plan;
  for (const auto& one : best) proof.candidates.push_back(candidate_at(command, plan, one.settings));
  return proof;
}

/// What their proof takes at least.
double needed_for(const std::vector<Tried>& best, const Proof& proof) {
  std::vector<double> seconds;
  for (const auto& one : best) seconds.push_back(one.seconds);
  return proof.seconds(seconds);
}

/// The first of the best whose proof the budget has room for.
std::vector<Tried> those_with_room(std::vector<Tried> best, const Proof& proof, const SearchPlan& plan) {
  if (!plan.budget) return best;
  const auto left = Seconds(plan.end() - std::chrono::steady_clock::now()).count();
  while (best.size() > 1 && with_reserve(needed_for(best, proof)) > left) best.pop_back();
  if (needed_for(best, proof) > left) best.clear();  // the search kept a reserve for one
  return best;
}

/// Says what to do instead of a proof: there was no room for that of the best one alone.
void tell_no_room(const std::vector<Tried>& best, const Proof& known, const Plan& proof,
                  const SearchPlan& plan, const TuneArguments& arguments, run::RunOutput& output) {
  const Seconds spent = std::chrono::steady_clock::now() - plan.begin;
  output.print(no_room_text(needed_for({best.front()}, known), (*plan.budget - spent).count(), spent.count(),
                            versus_command(arguments.common, proof.candidates)));
}

int prove(const Plan& proof, const SearchPlan& plan, const TuneArguments& arguments, const BuildInfo& build,
          run::RunOutput& output, SignalWatch& signals) {
  auto limits = limits_of(arguments.common);
  if (limits.budget) {
    // A search that had fewer settings to try than time leaves its time to the proof.
    limits.spent = std::chrono::steady_clock::now() - plan.begin;
    limits.budget->time -= limits.spent;
  }
  auto results = open_session(proof, delta_of(arguments.common), arguments.common.seed, build);
  const auto signal = measure(results, proof, limits, output, signals);
  show(results, proof, output);
  if (signal) return 128 + *signal;
  output.print("\n" + conclusion(results, proof) + "\n");
  return output.exit_code(
      std::ranges::any_of(results.rows, [](const auto& row) { return results::is_error(row); }));
}

/// Throws Stopped where a signal comes before Optuna has begun.
int tune(TuneArguments arguments, const BuildInfo& build) {
  const Template command(arguments.command);
  const auto plan = plan_of(arguments, command);
  const auto info = build_at(build, arguments.common.commit);
  run::RunOutput output(arguments.common.json);
  SignalWatch signals;
  std::optional<Study> study(
      std::in_place, command,
      StudyPlace{.python = arguments.python,
                 .storage = arguments.storage,
                 .name = study_name(arguments, plan),
                 .seed = arguments.common.seed.empty() ? 1 : run::parse_seed(arguments.common.seed)},
      plan.last_answer(), signals);
  if (!study->tried().empty())
    output.say(
        fmt::format("{}: goes on after {}", arguments.storage, trials_text(study->tried().size(), *study)));
  const auto searched = search(command, plan, *study, output, signals);
  const auto trials = trials_text(searched.tried.size(), *study);
  const auto optuna = study->version();
  study.reset();  // what was cut fails in it, and its Python disturbs no proof
  if (searched.signal) {
    tell(fmt::format("stopped after {}; the same command goes on", trials));
    return 128 + *searched.signal;
  }
  const auto best = best_of(searched.tried, command, most_proven);
  if (best.empty()) {
    output.print(
        "No other settings came to an end, so nothing is to be proven; raise --trials or --budget.\n");
    return output.exit_code(false);
  }
  const auto proven = those_with_room(best, searched.proof, plan);
  output.say(fmt::format("{} by Optuna {}{}", trials, optuna, measured_text(proven.size())));
  if (proven.empty()) {
    tell_no_room(best, searched.proof, proof_of(command, plan, best), plan, arguments, output);
    return output.exit_code(false);
  }
  return prove(proof_of(command, plan, proven), plan, arguments, info, output, signals);
}

}  // namespace

void add_tune(CLI::App& app, const BuildInfo& build, catalogue::Action& chosen) {
  auto* command =
      app.add_subcommand("tune", "Search the knobs of a command of your own, then prove what was found");
  const auto arguments = std::make_shared<TuneArguments>();
  declare(*command, *arguments);
  catalogue::choose_by(*command, chosen, [arguments, &build] {
    try {
      return tune(*arguments, build);
    } catch (const Stopped& stopped) {
      tell("stopped before the first trial");
      return 128 + stopped.signal;
    }
  });
}

}  // namespace harness::programs
