#include "harness/run/run_command.hpp"

#include "harness/catalogue/catalogue.hpp"
#include "harness/machine/host.hpp"
#include "harness/machine/nvml.hpp"
#include "harness/results/results.hpp"
#include "harness/results/row.hpp"
#include "harness/run/closing_lines.hpp"
#include "harness/run/job_place.hpp"
#include "harness/run/machine_lines.hpp"
#include "harness/run/rounds.hpp"
#include "harness/run/run_arguments.hpp"
#include "harness/run/run_output.hpp"
#include "harness/run/run_profile.hpp"
#include "harness/run/run_session.hpp"
#include "harness/run/select.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/exit_codes.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/signals.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usage.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <iostream>
#include <poll.h>

namespace harness::run {
namespace {

constexpr double three_looks = 2;  // rows that go on after the first look make a run about twice as long

/// Prints the rows and how long they should take. Gives the exit code.
int print_rows(const std::vector<results::Row>& rows, const RunPlan& plan,
               const catalogue::Catalogue& catalogue) {
  double all = 0, packages = 0;
  const auto style = style_of(stdout);
  const auto looks = plan.session.looks.size() > 1 && !plan.session.allotted ? three_looks : 1;
  for (const auto& row : rows) {
    const auto seconds = catalogue::row_seconds(catalogue, row.step, row.name) * looks * plan.session.pairs;
    fmt::print("{}", planned_text(row, seconds, style));
    if (results::is_error(row)) continue;
    all += seconds;
    packages += catalogue::package_seconds(catalogue, row.step, row.name);
  }
  if (plan.budget) all = std::min(all, plan.budget->time.count());
  const auto skipped = std::ranges::count_if(rows, results::is_error);
  std::vector<std::string> told{
      fmt::format("{} {}{}, at most about {}", rows.size(), rows.size() == 1 ? "row" : "rows",
                  skipped > 0 ? fmt::format(", {} of them skipped", skipped) : "", duration_text(all))};
  if (packages > 0)
    told.push_back(
        fmt::format("(and up to about {} more where torch's compiler has not made their packages yet)",
                    duration_text(packages)));
  if (!plan.session.options.empty())
    told.emplace_back("(this estimate assumes the workloads' default options)");
  for (const auto& text : told) fmt::print("{}", indented("", text, 0, style));
  return 0;
}

WorkerSetup workers_of(const RunPlan& plan, const catalogue::Program& program) {
  return {.plan = worker_plan_of(plan, program.worker, program.self),
          .row_seconds = [&program](const results::Row& row) {
            return catalogue::row_seconds(program.catalogue, row.step, row.name);
          }};
}

int exit_code(const RunOutput& output, const results::Results& results, const std::optional<int>& signal) {
  if (signal) return 128 + *signal;
  const auto failed = [](const results::Row& row) {
    return row.judged.verdict == Verdict::failed || (row.profile && !row.profile->reason.empty());
  };
  return output.exit_code(std::ranges::any_of(results.rows, failed));
}

/// All that `run` and `run --resume` have in common.
struct Running {
  const RunArguments& arguments;
  const RunPlan& plan;
  const catalogue::Program& program;
  RunOutput& output;
  const JobMeeting* meeting = nullptr;  // with the other processes of a job
  std::optional<double> beside = {};    // what other programs took while the worker told its device
};

ProfileOrder profile_order(const Running& run, const WorkerSetup& workers,
                           const results::Schedule& schedule) {
  ProfileOrder order{workers.plan, run.arguments.profile_out};
  order.worker_plan.task.profile = ProfilePlan{schedule, {Form::naive, Form::optimized}, {}};
  return order;
}

/// A budget that ends a session early decides what its rows can say, so it is reported outside the table too.
void tell_budget(const results::Results& results, const std::string& budget) {
  const auto rounds = finished_rounds(results);
  const auto open = [&](const results::Row& row) { return is_open(row, results.session); };
  if (std::ranges::none_of(results.rows, open)) return;
  if (results.session.allotted && rounds >= first_look(results.session)) return;  // the summary says it
  tell(fmt::format("the budget of {} ran out after {} of {}; open rows stay undecided", budget, rounds,
                   results.session.allotted
                       ? fmt::format("the {} rounds that first verdicts take", first_look(results.session))
                       : fmt::format("{} rounds", results.session.looks.back())));
}

/// A line of standard input; empty where none comes within half a minute, or a signal, which is left to
/// whoever reads the signals.
std::string line_in_time(const SignalWatch& signals) {
  constexpr int patience_ms = 30'000;
  std::array<pollfd, 2> ready{{{STDIN_FILENO, POLLIN, 0}, {signals.fd(), POLLIN, 0}}};
  std::string line;
  if (poll(ready.data(), ready.size(), patience_ms) > 0 && ready[1].revents == 0)
    std::getline(std::cin, line);
  return line;
}

constexpr double worth_a_line = 0.1, worth_a_question = 0.5;

/// What a busy machine costs, and what to do: "other programs take 81 % of the CPUs: the run may take ...".
std::string busy_machine_text(double other_cpu, const std::optional<Duration>& budget) {
  return fmt::format(
      "{}: the run may take {:.2g} times as long, and rows may stay undecided. Wait until they have "
      "ended{}.",
      other_programs_text(other_cpu, "take"), 1 / (1 - std::min(other_cpu, 0.9)),
      budget ? fmt::format(", or raise the --budget of {}", budget->text) : "");
}

/// Said before the rehearsal, which a budget may end. True: it was said.
bool tell_busy_machine(const Running& run) {
  if (run.meeting != nullptr || run.beside.value_or(0) < worth_a_line) return false;
  run.output.say("tuneproof: " + busy_machine_text(*run.beside, run.plan.budget));
  return true;
}

/// What the rehearsal knows better, before the rounds. Asks on a terminal where that is much; true: go on.
bool goes_on_beside(double other_cpu, bool told, const Running& run, const SignalWatch& signals) {
  const bool asks = other_cpu >= worth_a_question && is_terminal(stderr) && isatty(STDIN_FILENO) != 0;
  if (other_cpu < worth_a_line || (told && !asks)) return true;
  run.output.say(fmt::format("tuneproof: {}{}", busy_machine_text(other_cpu, run.plan.budget),
                             asks ? " Go on? [Y/n] (after 30 s it does)" : ""));
  if (!asks) return true;
  const auto answer = line_in_time(signals);
  return !answer.starts_with('n') && !answer.starts_with('N');
}

/// Other programs on the GPU that is measured slow both sides down unevenly. With several GPUs it is said
/// only where each has some, since CUDA's numbers are not the driver's. True: it was said.
bool tell_gpu_neighbors(RunOutput& output) {
  const auto gpus = read_nvml().gpus;
  if (gpus.empty()) return false;
  const auto processes = [](const GpuState& gpu) { return gpu.processes.value_or(0); };
  const auto fewest = processes(*std::ranges::min_element(gpus, {}, processes));
  if (fewest == 0) return false;
  output.say(fmt::format(
      "tuneproof: {} on the GPU beside this run: both sides slow down unevenly, and rows may stay "
      "undecided. Wait until {}; `nvidia-smi` shows {}.",
      fewest == 1 ? "another program computes" : fmt::format("{} other programs compute", fewest),
      fewest == 1 ? "it has ended" : "they have ended", fewest == 1 ? "it" : "them"));
  return true;
}

/// Looks before each pass, when no worker is at work.
void watch_gpu_neighbors(Runner& runner, RunOutput& output) {
  runner.run = [&output, pass_on = std::move(runner.run), told = false](
                   const Pass& pass, const std::function<void(results::Row)>& ended) mutable {
    const auto on_gpu = [](const results::Row& row) { return row.device.is_cuda(); };
    told = told || (std::ranges::any_of(pass.rows, on_gpu) && tell_gpu_neighbors(output));
    return pass_on(pass, ended);
  };
}

/// Empty where no file has been written. The file of --resume was there.
std::string how_to_go_on(const RunArguments& arguments, const RunOutput& output) {
  const bool resumed = !arguments.resume.empty();
  if (!resumed && !output.has_stored()) return "";
  return fmt::format("; `tuneproof run --resume {}` goes on", resumed ? arguments.resume : arguments.json);
}

/// "sync/a ("Reading a value ... keeps the host from running ahead."), sync/b (...)".
std::string with_claims(const std::vector<const results::Row*>& rows,
                        const std::vector<catalogue::Step>& steps) {
  std::vector<std::string> told;
  for (const auto* row : rows)
    if (const auto step = std::ranges::find(steps, row->step, &catalogue::Step::id); step != steps.end())
      told.push_back(fmt::format("{} (\"{}\")", row->step, step->claim.substr(0, step->claim.find(". "))));
  return fmt::format("{}", fmt::join(told, ", "));
}

/// What the largest changes are, what the machine is like, and what to do next; a program of the user's own
/// has none of those commands.
std::vector<std::string> last_words(const results::Results& results, const Running& run) {
  auto words = machine_lines(results, run.program);
  const auto rows = worth_a_look(results.rows);
  if (run.program.worker == run.program.self || rows.empty()) return words;
  const auto what = rows.front()->judged.verdict == Verdict::helps ? "gain" : "change";
  if (auto claims = with_claims(rows, run.program.catalogue->steps); !claims.empty())
    words.push_back(fmt::format("Behind the largest {}{}: {}.", what, rows.size() == 1 ? "" : "s", claims));
  auto next = fmt::format("Next: `tuneproof explain {}` explains the largest {}", rows.front()->step, what);
  const auto& file = run.arguments.resume.empty() ? run.arguments.json : run.arguments.resume;
  if (!file.empty() && file != "-")
    next += fmt::format("; `tuneproof report {} -o r.html` draws all of them", file);
  words.push_back(next + ".");
  return words;
}

/// Measures what is open in the results.
int measure_open(results::Results& results, const Running& run) {
  auto workers = workers_of(run.plan, run.program);
  if (run.meeting != nullptr) {
    workers.plan.task.options[std::string(meeting_option)] = run.meeting->place();
    run.output.say(fmt::format("the ranks, rank 0 first: {}", run.meeting->nodes()));
  }
  const auto memory = nameless_file("tuneproof-session");
  workers.plan.worker.memory = memory.get();
  SignalWatch signals;
  auto runner = worker_runner(workers, results, run.output, signals);
  runner.disturbed = [&, told = tell_busy_machine(run)](double other_cpu) {
    return goes_on_beside(other_cpu, told, run, signals);
  };
  if (run.meeting == nullptr) watch_gpu_neighbors(runner, run.output);  // the ranks of a job are no others
  const Limits limits{.budget = run.plan.budget};
  Rounds rounds(results, limits, runner);
  auto signal = rounds.run();
  if (!signal && limits.budget) tell_budget(results, limits.budget->text);
  if (signal)
    tell(fmt::format("stopped, {} of {} rounds finished{}", finished_rounds(results),
                     results.session.looks.front(), how_to_go_on(run.arguments, run.output)));
  if (!signal && !run.arguments.count.empty())
    signal = count_instructions(results, workers, limits, run.output, signals);
  if (!signal && run.plan.profile)
    signal =
        profile_finished_rows(results, run.program.catalogue, profile_order(run, workers, *run.plan.profile),
                              limits, run.output, signals);
  run.output.finish(results, last_words(results, run));
  return exit_code(run.output, results, signal);
}

constexpr double least_watched = 0.2;  // seconds: shorter, and the ticks of the kernel's clock show

int resume(const RunArguments& arguments, const catalogue::Program& program, const BuildInfo& build,
           const JobMeeting* meeting) {
  require_resumable(arguments.resume);
  // Opened before it is read: from here on nobody else writes it.
  RunOutput output(arguments.resume, arguments.details);
  auto results = read_interrupted(arguments);
  const auto plan = plan_of(results, arguments);
  const OtherWork other;
  const auto probe = parse_json(ask_probe(program.worker, plan.selection.device.device), "probe");
  const auto here = results::take_fingerprint(probe, build);
  const auto beside = other.share(least_watched);
  require_same_place(results, here, build, arguments.resume);
  if (note_other_card(results.fingerprint, here))
    output.say(
        fmt::format("this is another card of the same kind, and a row's rounds come from one card: "
                    "undecided rows start anew ({}), rows with a verdict stay",
                    restart_open_rows(results)));
  require_same_nodes(results.session.options, meeting, arguments.resume);
  return measure_open(results, {arguments, plan, program, output, meeting, beside});
}

/// The whole of `run`, of rank 0 where there are ranks.
int lead(RunPlan plan, const RunArguments& arguments, const catalogue::Program& program,
         const BuildInfo& build, const JobMeeting* meeting) {
  if (!arguments.resume.empty()) return resume(arguments, program, build, meeting);
  const std::string no_file;
  if (arguments.dry_run) require_writable(arguments.json);
  RunOutput output(arguments.dry_run ? no_file : arguments.json, arguments.details);
  const OtherWork other;
  auto opening = open_session(plan, arguments, program, program.catalogue);
  const auto beside = other.share(least_watched);
  if (!opening) return no_device_exit;
  skip_what_options_exclude(opening->rows, plan.session.options, program.options);
  if (plan.budget) {
    const auto seconds = [&](const results::Row& row) {
      return catalogue::row_seconds(program.catalogue, row.step, row.name);
    };
    if (const auto left = fit_budget(opening->rows, *plan.budget, seconds); !left.empty())
      output.say("tuneproof: " + left);
  }
  if (arguments.dry_run) return print_rows(opening->rows, plan, program.catalogue);
  auto fingerprint = results::take_fingerprint(parse_json(opening->probe_text, "probe"), build);
  auto results = new_results(plan, std::move(opening->rows), std::move(fingerprint), build.commit);
  if (meeting != nullptr) note_nodes(results.session.options, *meeting);
  return measure_open(results, {arguments, plan, program, output, meeting, beside});
}

/// What else was given would be ignored.
void refuse_another_plan(const CLI::App& command) {
  refuse_others(
      command,
      {"--resume", "--budget", "--timeout", "--details", "--count", "--profile", "--profile-schedule",
       "--profile-out"},
      "--resume takes the plan from its file; you may add only --budget, --timeout, --details, --count "
      "and --profile");
}

int run_command(const RunArguments& arguments, const CLI::App& command, const catalogue::Program& program,
                const BuildInfo& build) {
  if (!arguments.resume.empty()) refuse_another_plan(command);
  const auto launch = job_place_from(environment_variables());
  const auto plan = plan_run(arguments);
  if (launch) require_ranks_of(*launch, plan.session.options);
  if (arguments.resume.empty())  // a wrong pattern is reported before a file is made
    select_rows(program.catalogue, plan.selection);
  const bool is_other = launch && launch->number > 0;
  if (is_other && arguments.dry_run) return 0;
  if (is_other) join_meeting(program.worker, plan.timeout.time);
  if (!launch || arguments.dry_run) return lead(plan, arguments, program, build, nullptr);
  JobMeeting meeting(program.worker, plan.timeout.time);
  return meeting.end(lead(plan, arguments, program, build, &meeting));
}

}  // namespace

void add_run(CLI::App& app, const catalogue::Program& program, const BuildInfo& build,
             catalogue::Action& chosen) {
  auto* run = app.add_subcommand(
      "run", "Measure steps: check that both sides agree, time them in pairs, reach a verdict");
  const auto arguments = std::make_shared<RunArguments>();
  declare(*run, *arguments, program.catalogue);
  catalogue::choose_by(*run, chosen, [run, arguments, &program, &build] {
    return run_command(*arguments, *run, program, build);
  });
}

}  // namespace harness::run
