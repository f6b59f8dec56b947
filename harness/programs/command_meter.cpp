#include "harness/programs/command_meter.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/machine/instructions.hpp"
#include "harness/programs/recorder.hpp"
#include "harness/support/field.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/run_program.hpp"
#include "harness/support/spawn.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <wordexp.h>

namespace harness::programs {
namespace {

/// How many times as long a command may take under Valgrind.
constexpr double valgrind_slowdown = 60;

/// The number of "==7== I refs:        1,234", or "I   refs:" before Valgrind 3.21.
double refs_of(const std::filesystem::path& log) {
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);) {
    const auto refs = line.find("refs:");
    if (refs == std::string::npos || line.find(" I ") == std::string::npos) continue;
    auto number = line.substr(refs + 5);
    std::erase_if(number, [](char c) { return c == ',' || c == ' '; });
    return parse_number<double>(number).value_or(0);
  }
  return 0;
}

/// Throws BadInput where Valgrind is not installed; `why_no_counter` says why it is needed.
void require_valgrind(const std::string& why_no_counter) {
  if (find_program("valgrind").empty())
    throw BadInput(fmt::format(
        "--metric instructions: {}, and valgrind is not installed; install it, or take --metric cpu",
        why_no_counter));
}

/// The command under Valgrind, whose processes leave their counts in the folder.
Command under_valgrind(Command command, const std::filesystem::path& folder) {
  command.arguments.insert(
      command.arguments.begin(),
      {"--tool=cachegrind", "--cache-sim=no", "--trace-children=yes", "--cachegrind-out-file=/dev/null",
       "--log-file=" + (folder / "%p.log").string(), command.program.string()});
  command.program = "valgrind";
  return command;
}

/// "+3" too, as programs print numbers.
std::optional<double> number_in(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  return parse_number<double>(text);
}

std::optional<LastMatch> expression(const std::string& text, const char* option) {
  if (text.empty()) return std::nullopt;
  return LastMatch(text, option);
}

/// The words of a command that no shell reads; quotes hold words together.
std::vector<std::string> words_in(const std::string& text) {
  wordexp_t found{};
  const int error = wordexp(text.c_str(), &found, WRDE_NOCMD);
  if (error != 0 || found.we_wordc == 0) {
    if (error == 0 || error == WRDE_NOSPACE) wordfree(&found);
    throw BadInput(fmt::format("--shell none: the command {} needs a shell, or is empty", shown(text)));
  }
  std::vector<std::string> words(found.we_wordv, found.we_wordv + found.we_wordc);
  wordfree(&found);
  return words;
}

double own_peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

}  // namespace

std::string why_not_same(const Plan& plan, const std::string& first, const std::string& other) {
  if (plan.within.empty())
    return first == other ? std::string()
                          : fmt::format(
                                "the outputs differ: {} in the first command, {} in this one "
                                "(--same-output)",
                                shown(first), shown(other));
  const auto before = number_in(first), after = number_in(other);
  if (!before || !after)
    return fmt::format("{} and {} are not both numbers, and --within compares numbers", shown(first),
                       shown(other));
  const auto within = parse_number<double>(plan.within).value_or(0);
  if (*after <= *before + within * std::abs(*before)) return {};
  return fmt::format("{} is more than {:.3g} % above the {} of the first command (--within)", other,
                     100 * within, first);
}

CommandMeter::CommandMeter(const Plan& plan, run::RunOutput& output, SignalWatch& signals)
    : plan_(plan),
      output_(output),
      signals_(signals),
      timeout_(parse_duration(plan.timeout, "--timeout").time),
      printed_(expression(plan.printed, "--metric-from")),
      same_(expression(plan.same_output, "--same-output")) {
  if (plan.metric == Metric::step) steps_.emplace(plan.steps);
  for (const auto& candidate : plan.candidates) command_of(candidate.command);
  if (plan.metric != Metric::instructions || why_no_counter().empty()) return;
  count_by_valgrind_ = true;
  require_valgrind(why_no_counter());
  output.say(
      fmt::format("counting instructions under valgrind, which takes about 50 times as long ({}); --timeout "
                  "is {:g} times as long, too",
                  why_no_counter(), valgrind_slowdown));
}

Command CommandMeter::command_of(const std::string& text) const {
  std::vector<std::string> words;
  if (plan_.shell == "none")
    words = words_in(text);
  else
    words = {plan_.shell, "-c", text};
  Command command{.program = words.front(), .arguments = {words.begin() + 1, words.end()}};
  if (steps_) command.environment = {steps_->environment()};
  return command;
}

void CommandMeter::note_end(const TimedRun& run) {
  if (!signal_) signal_ = run.signal;
  out_of_time_ = run.timed_out && std::chrono::steady_clock::now() >= end_;
}

std::string CommandMeter::run_hook(const std::string& text, const char* option, RunOrder order) {
  order.command = command_of(text);
  order.timeout = timeout_;
  order.end = end_;
  const auto run = run_timed(order, signals_);
  note_end(run);
  const auto reason = why_failed(run, plan_.timeout);
  if (reason.empty() || (run.signal && !order.outlasts) || out_of_time_) return {};
  return fmt::format("{} {}: {}", option, shown(text), reason);
}

void CommandMeter::set_up() {
  std::vector<std::string> done;
  for (const auto& candidate : plan_.candidates) {
    if (candidate.setup.empty() || std::ranges::find(done, candidate.setup) != done.end()) continue;
    if (const auto failed = run_hook(candidate.setup, "--setup", {.may_leave_processes = true});
        !failed.empty())
      throw BadInput(failed);
    if (out_of_time_)
      throw BadInput(fmt::format("--setup {}: it had not ended when --budget was over; raise it",
                                 shown(candidate.setup)));
    if (signal_) return;
    done.push_back(candidate.setup);
  }
}

void CommandMeter::clean_up() {
  using std::chrono::steady_clock;
  end_at(cleanup_time_
             ? steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(*cleanup_time_)
             : steady_clock::time_point::max());
  // What came behind the first signal, or behind the last run, does not end the cleanup before it has begun.
  while (const auto signal = signals_.take()) signal_ = signal_.value_or(*signal);
  if (plan_.cleanup.empty()) return;
  const auto outlasts_first = [this, asked = false](int signal) mutable {
    if (std::exchange(asked, true)) return false;
    if (!signal_) signal_ = signal;
    output_.say("tuneproof: stops when --cleanup has ended; the next Ctrl-C ends it at once");
    return true;
  };
  auto failed = run_hook(plan_.cleanup, "--cleanup", {.outlasts = outlasts_first});
  if (out_of_time_)
    failed = fmt::format(
        "--cleanup {}: it had not ended after {}, which is what this --budget leaves it; raise it",
        shown(plan_.cleanup), time_text(cleanup_time_->count()));
  if (!failed.empty()) output_.fail(failed);
}

void CommandMeter::between_hooks(const std::function<void()>& body) {
  try {
    set_up();
    if (!is_ended()) body();
  } catch (...) {
    clean_up();
    throw;
  }
  clean_up();
}

TimedRun CommandMeter::run_counted(RunOrder order, double& instructions) {
  if (plan_.metric != Metric::instructions) return run_timed(order, signals_);
  if (count_by_valgrind_) {
    const ScratchFolder folder(temporary_folder());
    order.command = under_valgrind(std::move(order.command), folder.path());
    order.timeout *= valgrind_slowdown;
    auto run = run_timed(order, signals_);
    for (const auto& log : std::filesystem::directory_iterator(folder.path()))
      instructions += refs_of(log.path());
    return run;
  }
  TimedRun run;
  InstructionCount counter({});
  instructions = static_cast<double>(counter.of([&] { run = run_timed(order, signals_); }));
  return run;
}

double CommandMeter::value_of(const Measured& measured, double printed, double instructions) const {
  const auto& run = measured.run;
  switch (plan_.metric) {
    case Metric::wall:
      return run.seconds;
    case Metric::cpu:
      return run.cpu_seconds;
    case Metric::memory:
      if (run.peak_bytes <= own_peak_bytes())
        throw RunFailed(
            fmt::format("it takes less memory than tuneproof itself ({}), so its peak cannot be seen",
                        memory_text(own_peak_bytes())));
      return run.peak_bytes;
    case Metric::instructions:
      return instructions;
    case Metric::step:
      if (!measured.steps)
        throw RunFailed(
            "no step of a training was seen in it: steps are seen in Python, where an optimizer "
            "of torch steps or a DataLoader is asked for a batch, at least three times; a PYTHONPATH that "
            "the command sets hides the recorder: set it before tuneproof; of a program in C++ compare the "
            "seconds of a step that it prints: --metric-from 'step (\\S+) s'");
      return measured.steps->step();
    case Metric::printed:
      return plan_.more_is_better ? 1 / printed : printed;
  }
  return 0;
}

Measured CommandMeter::measure(const Candidate& candidate, const Watch& watch) {
  return run(candidate, watch, false);
}

Measured CommandMeter::time(const Candidate& candidate) { return run(candidate, {}, true); }

Measured CommandMeter::run(const Candidate& candidate, const Watch& watch, bool for_time) {
  Measured measured;
  if (!candidate.prepare.empty())
    if (const auto failed = run_hook(candidate.prepare, "--prepare", {}); !failed.empty())
      throw BadInput(failed);
  if (is_ended()) return measured;
  for (auto* expression : {&printed_, &same_})
    if (*expression) (*expression)->forget();
  RunOrder order{
      .command = command_of(candidate.command), .input = plan_.input, .timeout = timeout_, .end = end_};
  if (printed_ || !for_time)
    order.heard = [&](std::string_view lines) {
      if (printed_) printed_->hear(lines);
      if (same_ && !for_time) same_->hear(lines);
    };
  if (steps_) steps_->clear();
  if (steps_ && watch)
    order.stop = [&] {
      const auto seen = steps_->seen();
      return seen && watch(*seen);
    };
  double instructions = 0;
  measured.run = run_counted(std::move(order), instructions);
  note_end(measured.run);
  if (is_ended() || measured.run.stopped) return measured;
  const auto reason = why_failed(measured.run, plan_.timeout);
  if (!reason.empty() && !(plan_.ignore_failure && came_to_end(measured.run))) throw RunFailed(reason);
  const auto found = printed_ ? printed_->found() : std::nullopt;
  const auto printed = found ? number_in(*found) : std::nullopt;
  if (printed_ && !printed)
    throw RunFailed(fmt::format(
        "no line that it printed has a number for --metric-from {}{}", shown(plan_.printed),
        printed_->has_group() ? "" : "; the whole match must be a number, or a group of it: (\\d+)"));
  if (same_ && !same_->found() && !for_time)
    throw RunFailed("no line that it printed matches --same-output " + shown(plan_.same_output));
  if (same_) measured.same = same_->found().value_or("");
  if (steps_) measured.steps = steps_->seen();
  measured.value = value_of(measured, printed.value_or(0), instructions) / divisor(candidate);
  if (!(measured.value > 0) || !std::isfinite(measured.value))
    throw RunFailed("its metric is not above 0, and only such can be put in a ratio");
  return measured;
}

namespace {

constexpr std::uint64_t most_notes = std::uint64_t{16} << 20;

/// What one process has noted last.
StepTimes::Seen last_note(const std::filesystem::path& file) {
  StepTimes::Seen noted;
  std::istringstream lines(read_text(file, most_notes));
  for (std::string line; std::getline(lines, line);) {
    try {
      const auto json = parse_json(line, file.string());
      const Field note(json, file.string());
      if (note["what"].text() == "step_times") noted = {note["steps"].integer(), note["seconds"].number()};
    } catch (const BadInput&) {
      continue;  // its process may have been killed in the middle, and the program may write there
    }
  }
  return noted;
}

}  // namespace

StepTimes::StepTimes(std::int64_t most) : folder_(temporary_folder()) {
  const Json options{{"step_times", true}, {"steps", most}, {"at", nullptr}, {"skip", nullptr}};
  lay_out_recorder(folder_.path(), options.dump());
}

std::string StepTimes::environment() const {
  const char* ours = std::getenv("PYTHONPATH");  // NOLINT(concurrency-mt-unsafe): one thread
  return "PYTHONPATH=" + python_path(folder_.path(), ours);
}

void StepTimes::clear() const {
  for (const auto* name : {"notes", "loading"}) {
    remove_folder(folder_.path() / name);
    make_folders_of(folder_.path() / name / "note");
  }
}

std::optional<StepTimes::Seen> StepTimes::seen() const {
  Seen most;
  std::error_code gone;  // the program may have removed it
  for (const auto& file : std::filesystem::directory_iterator(folder_.path() / "notes", gone)) {
    if (!file.is_regular_file(gone)) continue;
    const auto one = last_note(file.path());
    const bool slower = one.steps == most.steps && one.steps > 0 && one.step() > most.step();
    if (one.steps > most.steps || slower) most = one;
  }
  return most.steps > 0 ? std::optional(most) : std::nullopt;
}

}  // namespace harness::programs
