#include "harness/programs/session.hpp"

#include "harness/core/allot.hpp"
#include "harness/machine/program_commit.hpp"
#include "harness/programs/command_runner.hpp"
#include "harness/programs/versus_text.hpp"
#include "harness/run/judge_row.hpp"
#include "harness/run/run_arguments.hpp"
#include "harness/run/run_session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace harness::programs {

BuildInfo build_at(const BuildInfo& build, std::string& commit) {
  constexpr std::size_t longest = 1000;  // as a name of a version; far more than that no results file holds
  if (commit.empty()) commit = program_commit(std::filesystem::current_path());
  if (commit.size() > longest)
    throw BadInput(fmt::format("--commit: has {} bytes, and at most {} are kept", commit.size(), longest));
  auto info = build;
  info.commit = commit;
  return info;
}

Json probe_of(const NvmlReport& nvml) {
  if (nvml.gpus.empty()) return Json::object();
  std::map<std::string, int> counts;
  for (const auto& gpu : nvml.gpus) ++counts[gpu.name];
  std::vector<std::string> names;
  for (const auto& [name, count] : counts)
    names.push_back(count == 1 ? name : fmt::format("{} x {}", count, name));
  return {{"gpu", {{"name", fmt::format("{}", fmt::join(names, ", "))}}}};
}

results::Fingerprint fingerprint_here(const BuildInfo& build) {
  return results::take_fingerprint(probe_of(read_nvml()), build);
}

results::Results open_session(const Plan& plan, double delta, const std::string& seed,
                              const BuildInfo& build) {
  run::RunArguments arguments;
  arguments.seed = seed;
  arguments.looks = 0;
  arguments.suite = "full";
  auto run_plan = run::plan_run(arguments);
  run_plan.session.data_seed = run::usual_data_seed;  // commands have no made-up data that a seed changes
  run_plan.session.options = to_options(plan);
  auto results = run::new_results(run_plan, blank_rows(plan, delta), fingerprint_here(build), build.commit);
  // Each command may be judged wrongly; all of them together have the error of one.
  auto& session = results.session;
  session.alpha /= static_cast<double>(results.rows.size());
  session.looks = looks_with_interval(std::move(session.looks), session.alpha);
  // Throws where no file can hold them, before anything runs.
  static_cast<void>(results::results_to_json(results).dump());
  return results;
}

std::optional<int> measure(results::Results& results, const Plan& plan, const run::Limits& limits,
                           run::RunOutput& output, SignalWatch& signals) {
  CommandMeter meter(plan, output, signals);
  CommandRunner commands(plan, results, output, meter, limits.spent);
  const auto begin = std::chrono::steady_clock::now();
  const run::Runner runner{
      .run = [&](const run::Pass& pass, const auto& ended) { return commands.run(pass, ended); },
      .clock = [&] { return run::Seconds(std::chrono::steady_clock::now() - begin); },
      .store = [&] { output.store(results); },
      .judge =
          [](results::Row& row, const results::Results& all) {
            run::judge_row(row, all);
            renew_figure(row);
          }};
  if (limits.budget) {
    const auto most = run::with_overtime(limits.budget->time);
    meter.end_at(begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(most));
    meter.clean_up_within(most - limits.budget->time);
  }
  meter.between_hooks([&] { run::Rounds(results, limits, runner).run(); });
  output.progress().clear();
  return meter.signal();
}

void show(const results::Results& results, const Plan& plan, run::RunOutput& output) {
  output.print(versus_text(results, plan, output.style()));
  output.print_document(results);
}

}  // namespace harness::programs
