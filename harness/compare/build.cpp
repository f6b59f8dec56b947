#include "harness/compare/build.hpp"

#include "harness/core/setup.hpp"
#include "harness/run/task.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/terminal.hpp"

#include <fmt/format.h>

#include <iterator>
#include <poll.h>

namespace harness::compare {
namespace {

namespace fs = std::filesystem;

constexpr auto build_type = "software.build_type";  // always the same in both

fs::path program_at(const fs::path& path, const std::string& option) {
  std::error_code error;
  const auto file = fs::is_directory(path, error) ? path / "tuneproof" : path;
  const auto found = fs::canonical(file, error);
  if (error || !fs::is_regular_file(found, error))
    throw BadInput(
        fmt::format("{} {}: program not found; give the path of a built tuneproof", option, file.string()));
  return found;
}

std::string text_of(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The one beside it; a program of somebody's own steps is its own.
fs::path worker_of(const fs::path& program) {
  auto beside = program.parent_path() / "tuneproof-worker";
  return program.filename() == "tuneproof" || fs::exists(beside) ? beside : program;
}

/// The fingerprint that the program itself would take here.
results::Fingerprint fingerprint_of(const Json& probe, const Json& build) {
  const auto commit = text_of(build, "commit"), type = text_of(build, "build_type"),
             compiler = text_of(build, "compiler"), flags = text_of(build, "flags");
  BuildInfo info;
  info.commit = commit;
  info.build_type = type;
  info.compiler = compiler;
  info.flags = flags;
  return results::take_fingerprint(probe, info);
}

run::PassView view_of(const BuildWorkers& build_workers, const run::ContestProcess& process,
                      const run::Pass& pass) {
  double seconds = 0;
  for (const auto& row : pass.rows) seconds += build_workers.row_seconds(row);
  constexpr int launches = 4;  // of a round
  const int left = pass.round ? launches * (pass.look - *pass.round) : 2 + launches * pass.look;
  return {.pass = pass.round ? fmt::format("round {}/{}", *pass.round + 1, pass.look) : "rehearsal",
          .rows = static_cast<int>(pass.rows.size()) * process.of,
          .expected_left = seconds * left,
          .budget = pass.budget};
}

run::WorkerPlan worker_plan_of(const BuildWorkers& build_workers, run::ContestBuild build,
                               const std::vector<results::Row>& rows) {
  auto worker_plan = build_workers.of(build);
  worker_plan.rows = rows;
  return worker_plan;
}

run::WorkerPlan worker_plan_of(const BuildWorkers& build_workers, const run::ContestProcess& process,
                               const run::Pass& pass) {
  auto worker_plan = worker_plan_of(build_workers, process.build, pass.rows);
  worker_plan.task.seed = process.seed;
  worker_plan.task.round = pass.round;
  return worker_plan;
}

/// Until the time is over or a signal comes.
std::optional<int> wait_for(run::Seconds time, SignalWatch& signals) {
  const auto end = std::chrono::steady_clock::now() + time;
  for (;;) {
    if (const auto signal = signals.take()) return signal;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return std::nullopt;
    pollfd watched{signals.fd(), POLLIN, 0};
    poll(&watched, 1, static_cast<int>(std::min<long>(left.count() + 1, 60'000)));
  }
}

}  // namespace

Build ask_build(const fs::path& path, const std::string& option, const Question& question) {
  Build out;
  out.program = program_at(path, option);
  out.worker = worker_of(out.program);
  try {
    out.probe = run::ask_probe(out.worker, question.device);
    const auto probe = parse_json(out.probe, "probe");
    if (!probe.contains("protocol") || !probe["protocol"].is_number_integer()) return out;
    out.protocol = probe["protocol"].get<int>();
    if (out.protocol != run::worker_protocol) return out;
    const auto build = probe.contains("build") ? probe["build"] : Json::object();
    out.version = text_of(build, "version");
    out.commit = text_of(build, "commit");
    out.fingerprint = fingerprint_of(probe, build);
    out.catalogue = catalogue::parse_catalogue(run::ask_catalogue(out.worker));
    if (question.selftest_pairs)
      std::ranges::move(catalogue::parse_catalogue(run::ask_selftest_pairs(out.worker)).steps,
                        std::back_inserter(out.catalogue.steps));
  } catch (const BadInput& error) {
    throw BadInput(fmt::format("{} {}: {}", option, path.string(), error.what()));
  }
  return out;
}

bool is_own(const Build& build) { return build.worker == build.program; }

std::vector<std::string> refusals(const Build& base, const Build& head, const std::vector<Across>& across) {
  std::vector<std::string> reasons;
  for (const auto* one : {&base, &head})
    if (one->protocol != run::worker_protocol)
      reasons.push_back(fmt::format(
          "{} uses {} with its worker, but this program uses protocol {}; compare two results files instead",
          one->program.string(),
          one->protocol == 0 ? "an older protocol" : fmt::format("protocol {}", one->protocol),
          run::worker_protocol));
  if (!reasons.empty()) return reasons;
  for (const auto& [field, before, after] :
       results::differences(base.fingerprint.hard, head.fingerprint.hard)) {
    if (is_treatment(field, across)) continue;
    const auto option = across_options({field});
    reasons.push_back(fmt::format("{} differs: {} in BASE, {} in HEAD{}", field, before, after,
                                  option.empty() ? "" : "; if that is what you compare, add" + option));
  }
  return reasons;
}

std::vector<std::string> treatments(const Build& base, const Build& head) {
  std::vector<std::string> notes;
  for (const auto& [field, before, after] :
       results::differences(base.fingerprint.hard, head.fingerprint.hard))
    if (field.starts_with("software.") && field != build_type)
      notes.push_back(fmt::format("{} differs: {} -> {}", field, before, after));
  return notes;
}

CountRows build_counter(const BuildWorkers& build_workers, run::Progress& progress, SignalWatch& signals) {
  return [&](run::ContestBuild build, const std::vector<results::Row>& rows,
             const std::function<void(results::Row)>& ended) {
    const auto say = [&](const std::string& line) {
      progress.clear();
      tell_lines(line + "\n");
    };
    const run::Reports reports{
        .begun =
            [&](const std::string& row) { say(fmt::format("counting {} in {}", row, to_string(build))); },
        .ended = ended,
        .said = say,
        .stop = [] { return false; }};
    return run::count_rows(worker_plan_of(build_workers, build, rows), reports, signals);
  };
}

GateRunner build_runner(const BuildWorkers& build_workers, run::Progress& progress, SignalWatch& signals) {
  const auto launch = [&](const run::ContestProcess& process, const run::Pass& pass,
                          const std::function<void(results::Row)>& ended) {
    if (process.number == 0) progress.begin_pass(view_of(build_workers, process, pass));
    const auto say = [&](const std::string& line) {
      progress.clear();
      tell_lines(line + "\n");
    };
    const run::Reports reports{.begun = [&](const std::string& row) { progress.begin_row(row); },
                               .ended =
                                   [&](results::Row row) {
                                     progress.end_row(build_workers.row_seconds(row));
                                     ended(std::move(row));
                                   },
                               .said = say,
                               .stop = [] { return false; }};
    const auto worker_plan = worker_plan_of(build_workers, process, pass);
    return run::Supervisor(worker_plan, reports, signals).run();
  };
  const auto wait = [&](run::Seconds time) {
    progress.clear();
    tell(fmt::format("some rows look slower; measuring them again in {} to rule out a one-off",
                     run::duration_text(time.count())));
    return wait_for(time, signals);
  };
  return {.launch = launch,
          .clock = [begin = std::chrono::steady_clock::now()]() -> run::Seconds {
            return std::chrono::steady_clock::now() - begin;
          },
          .wait = wait};
}

}  // namespace harness::compare
