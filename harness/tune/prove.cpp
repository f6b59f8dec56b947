#include "harness/tune/prove.hpp"

#include "harness/run/rounds.hpp"
#include "harness/run/run_output.hpp"
#include "harness/run/worker_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace harness::tune {
namespace {

std::string settings_text(const Plan& plan, const std::vector<Candidate>& candidates) {
  Json json{{"workload", plan.workload.workload}, {"settings", Json::array()}};
  for (const auto& candidate : candidates) json["settings"].push_back(settings_to_json(candidate.settings));
  return json.dump();
}

/// An earlier proof of the same candidates by the same program, here; else a new one.
results::Results begun_or_new(const ProofOrder& order, results::Results fresh) {
  std::error_code ignored;
  if (!std::filesystem::exists(order.file, ignored)) return fresh;
  auto earlier = results::read_results(order.file, results::StandIn::allow);
  const bool same =
      earlier.session.options == fresh.session.options && earlier.session.commit == fresh.session.commit &&
      earlier.session.seed == fresh.session.seed && earlier.session.threads == fresh.session.threads &&
      earlier.session.looks == fresh.session.looks && earlier.fingerprint.hard == fresh.fingerprint.hard;
  return same ? std::move(earlier) : std::move(fresh);
}

run::WorkerSetup workers_of(const ProofOrder& order) {
  run::WorkerSetup workers{
      .worker = {order.program.worker, {"--measure"}, run::worker_environment(order.plan.threads)},
      .task = run::task_of(order.plan),
      .row_timeout = order.plan.timeout,
      .row_timeout_text = order.timeout_text,
      .title = "proof, ",
      .row_seconds = {}};
  workers.task.loader = order.program.self;
  workers.row_seconds = [&program = order.program](const results::Row& row) {
    return catalogue::row_seconds(program.catalogue, row.step, row.name);
  };
  return workers;
}

}  // namespace

ProofSession prove(const Plan& plan, const std::vector<Candidate>& candidates, ProofOrder order,
                   SignalWatch& signals) {
  order.plan.options[std::string(catalogue::settings_option)] = settings_text(plan, candidates);
  order.plan.selection.points = {fmt::format("setting=1..{}", candidates.size())};
  auto rows = run::planned_rows(order.program.catalogue, order.plan.selection, parse_probe(order.probe_text));
  auto fingerprint = results::take_fingerprint(parse_json(order.probe_text, "probe"), order.build);
  ProofSession session{begun_or_new(
      order, run::new_results(order.plan, std::move(rows), std::move(fingerprint), order.build.commit))};
  run::RunOutput output(order.file.string());
  auto workers = workers_of(order);
  const auto memory = nameless_file("tuneproof-session");
  workers.worker.memory = memory.get();
  const auto runner = run::worker_runner(workers, session.results, output, signals);
  const run::Limits limits{order.budget, order.budget ? fmt::format("{:.0f} s", order.budget->count()) : ""};
  session.signal = run::Rounds(session.results, limits, runner).run();
  return session;
}

double row_seconds(const catalogue::Program& program, const catalogue::TunableWorkload& workload) {
  for (const auto& step : program.catalogue.steps)
    if (step.id == workload.step && !step.rows.empty()) return step.rows.front().seconds;
  return 0;
}

}  // namespace harness::tune
