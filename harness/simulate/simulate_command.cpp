#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"
#include "harness/simulate/gpu.hpp"
#include "harness/simulate/published_figures.hpp"
#include "harness/simulate/scale.hpp"
#include "harness/simulate/simulate.hpp"
#include "harness/simulate/simulate_arguments.hpp"
#include "harness/simulate/simulate_text.hpp"
#include "harness/support/overwriting.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usage.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace harness::simulate {
namespace {

// Which options of `tuneproof simulate` say nothing beside which others.

/// The file of one form that `--trace NAME` writes.
std::string trace_file(const std::string& name, Form form);

/// `given` makes what stands in `useless` say nothing.
struct Alone {
  const char* given;
  const char* why;
  std::array<const char*, 14> useless;  // filled up with null
};

constexpr std::array alone{
    Alone{"--published",
          "compares the model with published figures, each on its own GPU",
          {"STEPS", "--gpu", "--from", "--record", "--set", "--host", "--scales", "--sweep", "--suite",
           "--timeout", "--point", "--json", "--trace", "--lines"}},
    Alone{"--from",
          "has its rows already, and they are recorded",
          {"STEPS", "--suite", "--point", "--record", "--scales", "--timeout"}},
    Alone{"--sweep", "prints one table", {"--json", "--trace", "--lines"}},
};

bool is_given(const CLI::App& command, const char* option) { return command.get_option(option)->count() > 0; }

void refuse_beside(const CLI::App& command, const Alone& rule) {
  if (!is_given(command, rule.given)) return;
  for (const auto* useless : rule.useless)
    if (useless != nullptr && is_given(command, useless))
      throw BadInput(fmt::format("simulate: {} {}; leave out {}", rule.given, rule.why, useless));
}

/// "launch" of "launch=1.5".
std::string_view name_in(std::string_view setting) { return setting.substr(0, setting.find('=')); }

/// An option and the file that it reads or writes.
struct OptionFile {
  const char* option;
  std::string file;
};

std::vector<OptionFile> read_files(const SimulateArguments& arguments) {
  std::vector<OptionFile> files{{"--from", arguments.from}, {"--host", arguments.host}};
  for (const auto& gpu : arguments.gpus) files.push_back({"--gpu", gpu});
  return files;
}

std::vector<OptionFile> written_files(const SimulateArguments& arguments) {
  std::vector<OptionFile> files{{"--record", arguments.record}};
  if (arguments.json != "-") files.push_back({"--json", arguments.json});
  if (!arguments.trace.empty())
    for (const auto form : {Form::naive, Form::optimized})
      files.push_back({"--trace", trace_file(arguments.trace, form)});
  return files;
}

/// No output may take the place of an input or of another output.
void refuse_overwriting(const SimulateArguments& arguments) {
  auto taken = read_files(arguments);
  const auto place = [](const std::string& file) { return std::filesystem::weakly_canonical(file); };
  for (const auto& written : written_files(arguments)) {
    if (written.file.empty()) continue;
    for (const auto& other : taken)
      if (!other.file.empty() && place(other.file) == place(written.file))
        throw BadInput(fmt::format("simulate: {} would overwrite {} of {}; name another file", written.option,
                                   other.file, other.option));
    taken.push_back(written);
  }
}

/// A GPU that was changed is not the one of the data sheet: " (launch=1.5, host cpp)".
std::string changes_in(const SimulateArguments& arguments) {
  auto changes = arguments.settings;
  if (!arguments.host.empty()) changes.push_back("host " + arguments.host);
  return changes.empty() ? std::string() : fmt::format(" ({})", fmt::join(changes, ", "));
}

/// Throws BadInput where an option was given that would be dropped without a word.
void refuse_useless(const CLI::App& command, const SimulateArguments& arguments) {
  if (arguments.record == "-" || arguments.trace.starts_with('-'))
    throw BadInput("simulate: --record and --trace write files, whose names do not begin with '-'");
  for (const auto& rule : alone) refuse_beside(command, rule);
  refuse_overwriting(arguments);
  if (arguments.json == "-" && arguments.lines)
    throw BadInput("simulate: --json - prints JSON and nothing else; leave out --lines");
  if (!arguments.trace.empty() && arguments.gpus.size() > 1)
    throw BadInput("simulate: --trace shows one row on one GPU; give one with --gpu");
  for (const auto& setting : arguments.settings)
    if (!arguments.sweep.empty() && name_in(setting) == name_in(arguments.sweep))
      throw BadInput(
          fmt::format("simulate: --sweep changes {} itself; leave out --set {}", name_in(setting), setting));
}

/// Throws BadInput where it is not said which rows on which GPU.
void require_rows_and_gpu(const SimulateArguments& arguments) {
  if (arguments.gpus.empty())
    throw BadInput(
        fmt::format("simulate: which GPU? Give --gpu NAME; known are {}", fmt::join(gpu_names(), ", ")));
  if (arguments.from.empty() && arguments.run.patterns.empty() && arguments.run.suite.empty())
    throw BadInput("simulate: which rows? Name steps, a suite, or a recording with --from FILE");
}

std::string trace_file(const std::string& name, Form form) {
  return fmt::format("{}-{}.json", name, to_string(form));
}

/// The GPUs with their host and with the values that were changed, which their titles name. Throws BadInput
/// where one is asked for twice, or a value is changed twice.
std::vector<Gpu> chosen_gpus(const SimulateArguments& arguments) {
  std::set<std::string_view> changed;
  for (const auto& setting : arguments.settings)
    if (!changed.insert(name_in(setting)).second)
      throw BadInput(fmt::format("simulate: --set changes {} twice; give one of them", name_in(setting)));
  std::set<std::string_view> named;
  std::vector<Gpu> gpus;
  for (const auto& name : arguments.gpus) {
    if (!named.insert(name).second) throw BadInput(fmt::format("simulate: --gpu {} is given twice", name));
    gpus.push_back(find_gpu(name));
    if (!arguments.host.empty()) set_host(gpus.back(), arguments.host);
    for (const auto& setting : arguments.settings) set_value(gpus.back(), setting);
    gpus.back().title += changes_in(arguments);
  }
  return gpus;
}

constexpr auto footer =
    "SIMULATED figures are predictions from data sheets. No command takes their files for measurements.\n"
    "docs/simulation.md describes the model and how far published figures agree with it.\n"
    "\n"
    "Examples:\n"
    "  tuneproof simulate 'sync/*' --gpu a30 --record sync.json  record on the stand-in, then simulate\n"
    "  tuneproof simulate --from sync.json --gpu t4,a30,h200     the same calls on other GPUs\n"
    "  tuneproof simulate --from sync.json --gpu a30 --set launch=1.5\n"
    "  tuneproof simulate --published                            published figures beside simulated ones";

/// What is written; that it can be is found out before anything is recorded.
struct Files {
  explicit Files(const SimulateArguments& arguments) {
    if (!arguments.json.empty() && arguments.json != "-") json.emplace(arguments.json);
    if (arguments.trace.empty()) return;
    for (const auto form : {Form::naive, Form::optimized})
      traces.emplace_back(trace_file(arguments.trace, form));
  }
  std::optional<ReplaceFile> json;
  std::vector<ReplaceFile> traces;  // of the naive form, of the optimized one
};

void write_traces(const std::vector<ReplaceFile>& files, const std::vector<SimulatedRow>& rows) {
  if (!rows.front().reason.empty())
    throw BadInput(fmt::format("simulate: there is no time line for --trace; {} cannot be simulated: {}",
                               rows.front().row, rows.front().reason));
  auto form = rows.front().forms.begin();
  for (const auto& file : files) {
    file.write(trace_of(*form++, rows.front()).dump() + "\n");
    const auto name = file.path().string();
    tell(fmt::format("wrote {}; read it with tuneproof diagnose {}", name, name));
  }
}

void write_and_print(const SimulateArguments& arguments, const std::vector<Gpu>& gpus,
                     const Recording& recording, const Files& files) {
  const auto rows = simulate_rows(recording, gpus);
  const auto json = pretty(simulation_to_json(rows, gpus, recording.note));
  if (!files.traces.empty()) write_traces(files.traces, rows);
  if (files.json) files.json->write(json);
  if (arguments.json == "-") {
    fmt::print("{}", json);
    return;
  }
  if (gpus.size() > 1) fmt::print("{}", table_by_gpu(rows, gpus, style_of(stdout)));
  fmt::print("{}", simulated_table(rows, style_of(stdout)));
  if (arguments.lines) fmt::print("{}", lines_text(rows));
}

int simulate_asked(const SimulateArguments& arguments, const catalogue::Program& program) {
  require_rows_and_gpu(arguments);
  const auto gpus = chosen_gpus(arguments);
  const auto sweep =
      arguments.sweep.empty() ? std::optional<Sweep>() : parse_sweep(arguments.sweep, gpus.front());
  const Files files(arguments);
  const auto asked = recording_of(arguments, program);
  const auto code = asked.signal ? 128 + *asked.signal : 0;
  if (asked.recording.rows.empty()) return code;
  if (!asked.recording.note.empty()) tell(asked.recording.note);
  if (sweep)
    fmt::print("{}", sweep_table(asked.recording, gpus, *sweep, style_of(stdout)));
  else
    write_and_print(arguments, gpus, asked.recording, files);
  return code;
}

int simulate_command(const SimulateArguments& arguments, const CLI::App& command,
                     const catalogue::Program& program) {
  refuse_useless(command, arguments);
  if (!arguments.published) return simulate_asked(arguments, program);
  fmt::print("{}", published_table(judge_figures(published_figures())));
  return 0;
}

}  // namespace

void add_simulate(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<SimulateArguments>();
  auto* command = app.add_subcommand(
      "simulate", "Predict on paper what tips would be worth on a GPU that you do not have");
  command->add_option("STEPS", arguments->run.patterns,
                      "Steps or rows, as in `run`: recorded on the stand-in device");
  command->add_option("--gpu", arguments->gpus, "GPUs by name, or FILE.json with a data sheet")
      ->delimiter(',')
      ->allow_extra_args(false);  // STEPS may follow
  add_value(*command, "--from", arguments->from, "FILE", "Simulate a recording that --record wrote");
  add_value(*command, "--record", arguments->record, "FILE", "Store the recorded calls");
  add_value(*command, "--set", arguments->settings, "NAME=NUMBER",
            "Change a value, for example launch=1.5; repeatable")
      ->allow_extra_args(false);
  add_value(*command, "--host", arguments->host, "HOST",
            "python, cpp, or FILE: a price list that tuneproof prices wrote with --benchmark_repetitions=5 "
            "or more, for the host's part");
  add_value(*command, "--scales", arguments->scales, "LIST",
            "Record workloads at three scales and work out their full size, or record their own size (own); "
            "default: 1/128,1/64,1/32");
  add_value(*command, "--sweep", arguments->sweep, "NAME=A..B",
            "Show the change over a range, for example memory_rate=300..8000");
  command->add_option("--suite", arguments->run.suite, "Which rows of the steps, as in `run`")
      ->check(CLI::IsMember(run::suite_texts()));
  add_value(*command, "--timeout", arguments->run.timeout, "TIME",
            "Skip a row whose recording takes longer; default: 5m");
  add_value(*command, "--point", arguments->run.points, "AXIS=VALUES", "Points of an axis, as in `run`");
  add_value(*command, "--json", arguments->json, "FILE", "Write the predictions; - prints them");
  add_value(*command, "--trace", arguments->trace, "NAME",
            "Write the time lines NAME-naive.json and NAME-optimized.json");
  command->add_flag("--lines", arguments->lines, "Print the time lines of host and device as text");
  command->add_flag("--published", arguments->published, "Compare the model with published figures instead");
  command->footer(footer);
  command->callback([arguments, command, &program, &chosen] {
    chosen = [arguments, command, &program] { return simulate_command(*arguments, *command, program); };
  });
}

}  // namespace harness::simulate
