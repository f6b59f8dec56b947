#include "harness/tune/tune.hpp"

#include "harness/run/run_session.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/exit_codes.hpp"
#include "harness/support/utc_time.hpp"
#include "harness/tune/advice.hpp"
#include "harness/tune/halving.hpp"
#include "harness/tune/optuna.hpp"
#include "harness/tune/prove.hpp"
#include "harness/tune/train_once.hpp"
#include "harness/tune/tune_arguments.hpp"
#include "harness/tune/tune_text.hpp"
#include "harness/tune/yardstick.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

namespace harness::tune {
namespace {

/// Where a search and what comes of it are kept.
struct Places {
  std::string storage, proof, settings;
};

Places places_of(const TuneArguments& arguments) {
  const auto name = "tune-" + arguments.workload;
  const auto storage =
      !arguments.storage.empty() ? arguments.storage : name + (arguments.grid ? ".trials.json" : ".db");
  return {.storage = storage,
          .proof = storage + ".proof.json",
          .settings = arguments.out.empty() ? name + ".settings.json" : arguments.out};
}

/// Who asks, with all that it needs alive.
struct Asker {
  std::optional<Study> study;
  std::optional<TrialStore> store;
  Searcher searcher;
};

std::unique_ptr<Asker> asker_of(const Plan& plan, const TuneArguments& arguments, const Places& places) {
  auto asker = std::make_unique<Asker>();
  if (plan.grid) {
    asker->store.emplace(places.storage, plan);
    asker->searcher = halving(plan, *asker->store);
    return asker;
  }
  const ReplaceFile can_be_written(places.storage);
  asker->study.emplace(plan, StudyPlace{arguments.python, places.storage});
  asker->searcher = asker->study->searcher();
  return asker;
}

TrainSetup train_setup(const Plan& plan, const run::RunPlan& run, const TuneArguments& arguments,
                       const catalogue::Program& program) {
  return {.worker = {program.worker, {"--train"}, run::worker_environment(plan.threads)},
          .order = {.workload = std::string(plan.workload.workload),
                    .settings = {},
                    .options = plan.options,
                    .amount = plan.workload.amount,
                    .device = plan.device,
                    .threads = plan.threads,
                    .data_seed = plan.seed,
                    .loader = program.self},
          .timeout = run.timeout,
          .timeout_text = arguments.run.timeout,
          .said = [](const std::string& line) { fmt::print(stderr, "{}\n", line); }};
}

Progress progress_of(const Plan& plan) {
  const auto say = [&plan](const Tried& tried, const std::vector<Tried>& trials) {
    fmt::print(stderr, "{}\n", trial_line(plan, tried, trials));
  };
  return {.begun = [](const Asked&, const std::vector<Tried>&) {}, .ended = say};
}

/// One command, from its plan to its files.
class Tuning {
 public:
  Tuning(const TuneArguments& arguments, const catalogue::Program& program, const BuildInfo& build)
      : arguments_(arguments), program_(program), build_(build), places_(places_of(arguments)) {}

  int run() {
    const auto& workload = workload_named(arguments_.workload, program_);
    auto plan = proof_plan(arguments_, workload);
    auto with_dry_run = arguments_.run;
    with_dry_run.dry_run = arguments_.dry_run;
    const auto opening = run::open_session(plan, with_dry_run, program_, program_.catalogue);
    if (!opening) return no_device_exit;
    outcome_.plan = plan_of(arguments_, workload, {plan.options, plan.selection.device.device, plan.threads});
    outcome_.plan.seed = plan.seed;
    outcome_.plan.row_seconds = row_seconds(program_, workload);
    outcome_.started = utc_now();
    outcome_.commit = build_.commit;
    if (arguments_.dry_run) {
      fmt::print("{}", plan_text(outcome_.plan, style_of(stdout)));
      return 0;
    }
    outcome_.fingerprint = results::take_fingerprint(parse_json(opening->probe_text, "probe"), build_);
    return search_and_prove(plan, opening->probe_text);
  }

 private:
  Seconds now() const { return std::chrono::steady_clock::now() - begin_; }

  int search_and_prove(const run::RunPlan& run, const std::string& probe) {
    std::optional<ReplaceFile> json;  // opened first: a wrong place fails before the work
    if (!arguments_.json.empty()) json.emplace(arguments_.json);
    const ReplaceFile settings(places_.settings);
    SignalWatch signals;
    auto signal = search_all(run, signals);
    fmt::print("{}", search_text(outcome_, style_of(stdout)));
    std::fflush(stdout);  // before the proof's progress, in a file too
    if (!signal) signal = prove_all(run, probe, signals);
    if (json) json->write(pretty(outcome_to_json(outcome_)));
    if (signal) {
      fmt::print(stderr, "tuneproof: stopped; the same command goes on with what {} holds\n",
                 places_.storage);
      return 128 + *signal;
    }
    write_settings(settings);
    return 0;
  }

  std::optional<int> search_all(const run::RunPlan& run, SignalWatch& signals) {
    const auto& plan = outcome_.plan;
    const auto asker = asker_of(plan, arguments_, places_);
    outcome_.searcher = asker->searcher.name;
    const auto setup = train_setup(plan, run, arguments_, program_);
    const auto train = [&](const Asked& asked, const auto& give_up) {
      return train_once(setup, asked, give_up, signals);
    };
    auto searched =
        search_with_yardstick(plan, asker->searcher, train, progress_of(plan), [this] { return now(); });
    outcome_.trials = std::move(searched.trials);
    if (!searched.without_standard.empty())
      throw BadInput(
          fmt::format("tune: the standard settings of {} cannot be trained, so nothing can be compared: {}",
                      plan.workload.workload, searched.without_standard));
    return searched.signal;
  }

  std::optional<int> prove_all(const run::RunPlan& run, const std::string& probe, SignalWatch& signals) {
    const auto& budget = outcome_.plan.budget;
    const auto slower = slowdown(outcome_.plan, outcome_.trials);
    outcome_.candidates =
        candidates(outcome_.plan, outcome_.trials,
                   budget ? affordable_candidates(outcome_.plan, slower, (*budget - now()).count())
                          : catalogue::most_settings);
    if (outcome_.candidates.empty()) return std::nullopt;
    auto session = prove(outcome_.plan, outcome_.candidates,
                         {.program = program_,
                          .build = build_,
                          .plan = run,
                          .probe_text = probe,
                          .timeout_text = arguments_.run.timeout,
                          .file = places_.proof,
                          .budget = budget ? std::optional(*budget - now()) : std::nullopt},
                         signals);
    outcome_.proof = std::move(session.results);
    return session.signal;
  }

  void write_settings(const ReplaceFile& file) const {
    const auto all = proven(outcome_.plan, outcome_.candidates, outcome_.proof ? &*outcome_.proof : nullptr);
    const auto* const best = winner(all);
    if (best != nullptr) file.write(pretty(settings_file(outcome_.plan, best->candidate.settings)));
    fmt::print("{}", proof_page(outcome_, best == nullptr ? "" : places_.settings, style_of(stdout)));
  }

  const TuneArguments& arguments_;
  const catalogue::Program& program_;
  const BuildInfo& build_;
  Places places_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  Outcome outcome_;
};

}  // namespace

void add_tune(CLI::App& app, const catalogue::Program& program, const BuildInfo& build,
              catalogue::Action& chosen) {
  auto* command = app.add_subcommand(
      "tune", "Search a workload's batch size, loader, threads and precision, then prove what was found");
  const auto arguments = std::make_shared<TuneArguments>();
  declare(*command, *arguments, program);
  command->callback([arguments, &program, &build, &chosen] {
    chosen = [arguments, &program, &build] { return Tuning(*arguments, program, build).run(); };
  });
}

}  // namespace harness::tune
