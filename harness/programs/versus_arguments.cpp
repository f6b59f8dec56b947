#include "harness/programs/versus_arguments.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/run/run_arguments.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/usage.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <sstream>

namespace harness::programs {
namespace {

constexpr double default_delta = 0.03;
constexpr std::size_t most_commands = 100;
constexpr double most_percent = 1000;         // as far as a results file goes
constexpr std::size_t longest_name = 16'000;  // as well, with what stands before it

struct Parameter {
  std::string name;
  std::vector<std::string> values;
};

std::vector<Parameter> parameters_of(const std::vector<std::string>& words) {
  std::vector<Parameter> parameters;
  if (words.size() % 2 != 0)
    throw BadInput(
        fmt::format("--parameter {}: expected a name and values, such as workers 0,2,4", words.back()));
  for (std::size_t i = 0; i < words.size(); i += 2) {
    auto& parameter = parameters.emplace_back(Parameter{words[i], {}});
    std::istringstream values(words[i + 1]);
    for (std::string value; std::getline(values, value, ',');) parameter.values.push_back(value);
    if (words[i + 1].ends_with(',')) parameter.values.emplace_back();  // getline reads no empty end
    if (parameter.values.empty())
      throw BadInput(fmt::format("--parameter {}: expected values such as 0,2,4", parameter.name));
  }
  return parameters;
}

std::string replaced(std::string text, const std::string& name, const std::string& value) {
  const auto hole = "{" + name + "}";
  for (auto at = text.find(hole); at != std::string::npos; at = text.find(hole, at + value.size()))
    text.replace(at, hole.size(), value);
  return text;
}

/// Each candidate that names the parameter becomes one for each of its values.
std::vector<Candidate> scanned(const std::vector<Candidate>& candidates, const Parameter& parameter) {
  const auto hole = "{" + parameter.name + "}";
  std::vector<Candidate> all;
  bool used = false;
  for (const auto& candidate : candidates) {
    if (candidate.command.find(hole) == std::string::npos) {
      all.push_back(candidate);
      continue;
    }
    used = true;
    for (const auto& value : parameter.values) {
      auto one = candidate;
      for (auto* text : {&one.name, &one.command, &one.prepare, &one.setup})
        *text = replaced(*text, parameter.name, value);
      all.push_back(std::move(one));
    }
  }
  if (!used)
    throw BadInput(
        fmt::format("--parameter {}: no command has {{{}}} in it", parameter.name, parameter.name));
  return all;
}

/// A row is found by its name: equal commands, which show what noise alone does, get numbers.
void make_names_differ(std::vector<Candidate>& candidates) {
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const auto earlier = std::span(candidates).first(i);
    const auto given = candidates[i].name;
    const auto is_taken = [&] {
      return std::ranges::find(earlier, candidates[i].name, &Candidate::name) != earlier.end();
    };
    for (auto number = i + 1; is_taken(); ++number)
      candidates[i].name = fmt::format("{} ({})", given, number);
  }
}

std::vector<Candidate> candidates_of(const VersusArguments& arguments) {
  if (arguments.names.size() > arguments.commands.size())
    throw BadInput(fmt::format(
        "--name: {} names, but {} given; {{NAME}} of a --parameter may stand in a name",
        arguments.names.size(),
        arguments.commands.size() == 1 ? "1 command was"
                                       : fmt::format("{} commands were", arguments.commands.size())));
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < arguments.commands.size(); ++i) {
    const auto& command = arguments.commands[i];
    if (command.find_first_not_of(" \t\n") == std::string::npos)
      throw BadInput(fmt::format("command {} is empty", i + 1));
    candidates.push_back({.name = i < arguments.names.size() ? arguments.names[i] : command,
                          .command = command,
                          .prepare = arguments.common.prepare,
                          .setup = arguments.common.setup});
  }
  for (const auto& parameter : parameters_of(arguments.parameters))
    candidates = scanned(candidates, parameter);
  if (candidates.size() < 2 || candidates.size() > most_commands)
    throw BadInput(fmt::format("versus takes 2 to {} commands, and {} {} given; see tuneproof versus --help",
                               most_commands, candidates.size(), candidates.size() == 1 ? "was" : "were"));
  for (auto& candidate : candidates)
    std::ranges::replace_if(candidate.name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  make_names_differ(candidates);
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (candidates[i].name.size() > longest_name)
      throw BadInput(
          fmt::format("the name of command {} has {} bytes, and a results file takes {}; give it "
                      "another one with --name",
                      i + 1, candidates[i].name.size(), longest_name));
  return candidates;
}

}  // namespace

double share_of(const std::string& text, const char* option) {
  auto number = text;
  if (number.ends_with('%')) number.pop_back();
  while (number.ends_with(' ')) number.pop_back();
  const auto percent = parse_number<double>(number);
  if (!percent || !(*percent > 0 && *percent <= most_percent))
    throw BadInput(fmt::format("{} '{}': expected a percentage above 0 and at most {:g}, such as 3%", option,
                               text, most_percent));
  return *percent / 100;
}

void declare(CLI::App& command, CommonArguments& arguments) {
  auto& plan = arguments.plan;
  auto* metric = command.add_option("--metric", arguments.metric,
                                    "What is compared: wall (default), cpu, memory, instructions, or step: a "
                                    "step of a training in PyTorch, "
                                    "start-up left out");
  command
      .add_option("--metric-from", plan.printed,
                  "Compare a number that the commands print: the group of this expression in the last line "
                  "that has it. Less is better")
      ->excludes(metric)
      ->option_text("REGEX");
  command.add_flag("--more-is-better", plan.more_is_better, "With --metric-from: a rate, such as samples/s");
  takes_number(
      command.add_option("--steps", plan.steps,
                         "With --metric step: end each training after N steps; default: its own end"),
      1, std::numeric_limits<std::int64_t>::max())
      ->option_text("N");
  add_value(command, "--same-output,--keep", plan.same_output, "REGEX",
            "What this expression matches last in the output must be equal in all commands");
  add_value(command, "--within", arguments.within, "PERCENT",
            "With --same-output: it is a number that should not grow, such as a loss, and may lie above the "
            "first command's by this much of its absolute value: with 2%, -0.98 may stand beside -1");
  add_value(command, "--setup", arguments.setup, "COMMAND",
            "Run this once before all rounds; if it leaves something running, such as a server, end that "
            "by --cleanup");
  add_value(command, "--prepare", arguments.prepare, "COMMAND", "Run this before each run");
  add_value(command, "--cleanup", plan.cleanup, "COMMAND",
            "Run this once after all rounds, also after Ctrl-C; a second Ctrl-C ends it");
  takes_number(command.add_option("--warmup", plan.warmup, "Run each command N times first; default: 1"), 0,
               most_warmup)
      ->option_text("N");
  add_value(command, "--shell", arguments.shell, "NAME",
            "Which shell reads the commands; none: no shell does, which is best below 50 ms; default: sh");
  add_value(command, "--input", plan.input, "FILE",
            "File that each command reads as its standard input; default: nothing");
  add_value(command, "--timeout", plan.timeout, "TIME",
            "Fail a command that takes longer; default: 1h; times 60 under Valgrind");
  command.add_flag(
      "--ignore-failure", plan.ignore_failure,
      "Accept exit codes other than 0; 126, 127 and signals still fail, since such a command has not "
      "run, or not to its end");
  add_value(command, "--budget", arguments.budget, "TIME", "End after about this time: 90s, 10m, 1h");
  add_value(command, "--delta", arguments.delta, "PERCENT", "The smallest change of interest; default: 3%");
  add_value(command, "--json", arguments.json, "FILE",
            "Write a results file; - prints it instead of the table");
  add_value(command, "--seed", arguments.seed, "N", "Seed for the order of runs; default: random");
  add_value(command, "--commit", arguments.commit, "TEXT",
            "The commit that is measured; default: git's in this folder, else the CI job's");
}

void declare(CLI::App& command, VersusArguments& arguments) {
  command.add_option("COMMAND", arguments.commands,
                     "Commands; each is compared with the first. Put each in quotes");
  declare(command, arguments.common);
  command.add_option("--name", arguments.names, "Name of a command; repeat it for further ones")
      ->option_text("TEXT")
      ->allow_extra_args(false);
  command
      .add_option("--parameter", arguments.parameters,
                  "A command with {NAME} in it stands for several, one for each value: workers 0,2,4")
      ->option_text("NAME VALUES")
      ->expected(2)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_value(command, "--fail-above", arguments.fail_above, "PERCENT",
            "Exit with 2 if a command is slower than the first by more than this");
  command.add_flag("--strict", arguments.strict,
                   "Also fail if more than a fifth of the commands are undecided");
  add_value(command, "--resume", arguments.resume, "FILE",
            "Continue the interrupted measurement in this results file");
  compare::declare(command, arguments.ci);
}

Plan plan_of(const CommonArguments& arguments) {
  auto plan = arguments.plan;
  if (!plan.printed.empty())
    plan.metric = Metric::printed;
  else if (!arguments.metric.empty())
    plan.metric = metric_from(arguments.metric);
  if (plan.metric == Metric::printed && plan.printed.empty())
    throw BadInput("--metric 'printed': expected wall, cpu, memory, instructions or step");
  if (plan.more_is_better && plan.metric != Metric::printed)
    throw BadInput("--more-is-better is for a number that --metric-from finds");
  if (plan.steps > 0 && plan.metric != Metric::step) throw BadInput("--steps is for --metric step");
  if (!arguments.within.empty() && plan.same_output.empty())
    throw BadInput("--within is for a number that --same-output finds");
  if (!arguments.within.empty()) plan.within = fmt::format("{}", share_of(arguments.within, "--within"));
  plan.shell = arguments.shell;
  parse_duration(plan.timeout, "--timeout");
  delta_of(arguments);  // tune comes to both of these after its search
  if (!arguments.seed.empty()) run::parse_seed(arguments.seed);
  return plan;
}

Plan plan_of(const VersusArguments& arguments) {
  auto plan = plan_of(arguments.common);
  plan.candidates = candidates_of(arguments);
  plan.gates = gates(arguments);
  return plan;
}

double delta_of(const CommonArguments& arguments) {
  return arguments.delta.empty() ? default_delta : share_of(arguments.delta, "--delta");
}

double delta_of(const VersusArguments& arguments) {
  if (arguments.fail_above.empty()) return delta_of(arguments.common);
  if (!arguments.common.delta.empty())
    throw BadInput("--delta and --fail-above both set the margin; give one of them");
  return share_of(arguments.fail_above, "--fail-above");
}

run::Limits limits_of(const CommonArguments& arguments) {
  run::Limits limits{.patient = true};
  if (!arguments.budget.empty()) limits.budget = parse_duration(arguments.budget, "--budget");
  return limits;
}

bool gates(const VersusArguments& arguments) {
  return !arguments.fail_above.empty() || arguments.strict || !arguments.ci.junit.empty() ||
         !arguments.ci.markdown.empty() || arguments.ci.annotations;
}

}  // namespace harness::programs
