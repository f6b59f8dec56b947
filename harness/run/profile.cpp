#include "harness/run/profile.hpp"

#include "harness/machine/probe.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/run/row_view.hpp"
#include "harness/run/run_output.hpp"
#include "harness/run/run_profile.hpp"
#include "harness/run/run_session.hpp"
#include "harness/run/table_row.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/exit_codes.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usage.hpp"
#include "harness/trace/diagnosis_text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace harness::run {
namespace {

struct ProfileArguments {
  RunArguments run;  // the part that is common with `run`
  std::string workload;
  std::string form = "both";
  std::string schedule;
  std::string out = "profiles";
  std::size_t top = 10;
  std::vector<std::string> rest;  // behind --
};

/// The row that is profiled, and how many there were to choose from.
struct Choice {
  results::Row row;
  std::size_t of = 0;
};

Choice choose(const std::vector<results::Row>& rows) {
  const auto runs = std::ranges::find_if(rows, [](const results::Row& row) { return !is_error(row); });
  return {runs == rows.end() ? rows.front() : *runs, rows.size()};
}

/// `--form`.
std::vector<Form> forms_of(const ProfileArguments& arguments) {
  if (arguments.form == "naive") return {Form::naive};
  if (arguments.form == "optimized") return {Form::optimized};
  return {Form::naive, Form::optimized};
}

ProfileOrder order_of(const results::Row& row, const RunPlan& plan, const ProfileArguments& arguments,
                      const catalogue::Program& program) {
  ProfileOrder order{worker_plan_of(plan, program.worker, program.self), arguments.out};
  order.worker_plan.task.profile = ProfilePlan{*plan.profile, forms_of(arguments), {}};
  order.worker_plan.rows = {row};
  return order;
}

Profiled profile_row(const ProfileOrder& order) {
  SignalWatch signals;
  Progress progress(stderr, is_terminal(stderr));
  const auto begin = [&](const std::string& pass) {
    progress.begin_pass({.pass = pass, .rows = 1});
    progress.begin_row(order.worker_plan.rows.front().name);
  };
  begin("profile");
  return profile(order,
                 {[&](int done, int of) { begin(fmt::format("pass {}/{}", done, of)); },
                  [&](const std::string& line) {
                    progress.clear();
                    tell_lines(line + "\n");
                  }},
                 signals);
}

/// Prints what a profiled row's traces say.
class Report {
 public:
  Report(const catalogue::Program& program, std::size_t top)
      : program_(program), showing_{.top = top}, style_(style_of(stdout)) {}

  void print(const results::Row& row) const {
    std::vector<trace::Diagnosis> diagnoses;
    for (const auto& form : row.profile->forms) {
      fmt::print("{}, {}: {} runs recorded ({})\n", row.name, side_word(form.form), form.runs,
                 results::to_string(row.profile->schedule));
      fmt::print("The profiler was on. {}\n", profiler_cost(form));
      for (const auto& trace : form.traces) {
        diagnoses.push_back(trace::diagnose(trace::read_trace(trace), {}, catalogue::has_step(program_)));
        fmt::print("{}\n{}\n", trace, trace::diagnosis_text(diagnoses.back(), showing_, style_));
      }
    }
    if (row.profile->forms.size() == 2) fmt::print("{}", changes_text(diagnoses.back(), diagnoses.front()));
    fmt::print("{}{}", profile_heading(style_), profile_rows(row, style_));
  }

 private:
  std::string changes_text(const trace::Diagnosis& after, const trace::Diagnosis& before) const {
    return harness::trace::changes_text(trace::compare(after, before), after, before, showing_, style_);
  }

  const catalogue::Program& program_;
  trace::Showing showing_;
  Style style_;
};

int finish(Profiled profiled, const results::Row& planned, const ProfileArguments& arguments,
           const catalogue::Program& program, bool stands_in) {
  if (profiled.signal) {
    tell("stopped; no trace was kept");
    return 128 + *profiled.signal;
  }
  if (!profiled.row.profile) {
    tell(fmt::format("{} was not profiled: {}", planned.name, profiled.row.reason));
    return 1;
  }
  add_published(*profiled.row.profile,
                *std::ranges::find(program.catalogue->steps, planned.step, &catalogue::Step::id), planned.at);
  const auto warning = stands_in ? results::warning_line(style_of(stdout)) : std::string();
  fmt::print("{}", warning);
  Report(program, arguments.top).print(profiled.row);
  fmt::print("{}", warning);
  return 0;
}

/// The quick suite's points stand for a step; those of the full suite for one that is not in it.
std::string suite_of(const std::string& workload, const catalogue::Catalogue& catalogue) {
  const auto found = std::ranges::find(catalogue.steps, workload, &catalogue::Step::id);
  const bool quick =
      found == catalogue.steps.end() || std::ranges::any_of(found->rows, &catalogue::Row::quick);
  return quick ? "quick" : "full";
}

/// The name without its dashes; throws BadInput where no workload has such an option.
std::string known_option(const std::string& word, const catalogue::Catalogue& catalogue) {
  std::vector<std::string> known;
  for (const auto& option : catalogue.options) known.push_back(fmt::format("--{}", option_name(option.name)));
  for (const auto& name : known)
    if (name == word) return name.substr(2);
  throw BadInput(fmt::format("'{}' is not an option of a workload{}", word, did_you_mean(word, known)));
}

/// "--scale 0.1" or "--scale=0.1" behind `--`, put beside the options before it. Throws BadInput.
void take_rest(ProfileArguments& arguments, const catalogue::Catalogue& catalogue) {
  const auto& rest = arguments.rest;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const auto equals = rest[i].find('=');
    const auto name = known_option(rest[i].substr(0, equals), catalogue);
    if (equals == std::string::npos && i + 1 == rest.size())
      throw BadInput(fmt::format("'{}' needs a value", rest[i]));
    arguments.run.options[name] = equals == std::string::npos ? rest[++i] : rest[i].substr(equals + 1);
  }
}

int run(ProfileArguments arguments, const catalogue::Program& program) {
  take_rest(arguments, program.catalogue);
  arguments.run.patterns = {arguments.workload};
  arguments.run.suite = suite_of(arguments.workload, program.catalogue);
  auto plan = plan_run(arguments.run);
  plan.profile = results::parse_schedule(arguments.schedule, "--schedule", {});
  const auto opening = open_session(plan, arguments.run, program, program.catalogue);
  if (!opening) return no_device_exit;
  const auto choice = choose(opening->rows);
  if (is_error(choice.row)) {
    tell(fmt::format("{}: {}", choice.row.name, choice.row.reason));
    return no_device_exit;
  }
  if (choice.of > 1)
    tell_lines(fmt::format("{} of {} rows; choose another with --point or a row's name\n", choice.row.name,
                           choice.of));
  return finish(profile_row(order_of(choice.row, plan, arguments, program)), choice.row, arguments, program,
                results::is_stand_in(opening->probe.gpu_name));
}

constexpr auto profile_footer =
    "profile takes the first quick row of a step; choose another with the row's full name or\n"
    "--point. Traces open in TensorBoard's profiler plugin, HTA and `tuneproof diagnose`. profile\n"
    "never overwrites a trace.\n"
    "\n"
    "Examples:\n"
    "  tuneproof profile stgym/end_to_end --schedule wait=1,warmup=2,active=5\n"
    "  tuneproof profile stgym/device_indices --form naive --device cpu -- --scale 0.002\n"
    "  tuneproof profile sync/item_every_step --point n=1024 --out traces";

}  // namespace

void add_profile(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<ProfileArguments>();
  auto* command =
      app.add_subcommand("profile", "Run a step under PyTorch's profiler: op table, phases, a trace file");
  command->add_option("WORKLOAD", arguments->workload, "A step, or the name of one of its rows")->required();
  command->add_option("WORKLOAD_OPTIONS", arguments->rest, "After --: the options listed under Workloads");
  command
      ->add_option("--form", arguments->form, "The side to profile: naive is the first, optimized the second")
      ->check(CLI::IsMember({"naive", "optimized", "both"}))
      ->capture_default_str();
  add_value(*command, "--schedule", arguments->schedule, "PARTS",
            "How many runs to skip, to warm up and to record, and how often; default: " +
                results::to_string(results::Schedule{}));
  add_value(*command, "--out", arguments->out, "DIR", "Folder for the traces")->capture_default_str();
  takes_number(command->add_option("--top", arguments->top, "Rows of each table"), 0, 1'000'000)
      ->type_name("N")
      ->capture_default_str();
  declare_surroundings(*command, arguments->run, program.catalogue);
  command->footer(profile_footer);
  catalogue::choose_by(*command, chosen, [arguments, &program] { return run(*arguments, program); });
}

}  // namespace harness::run
