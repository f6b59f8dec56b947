#include "harness/run/worker_runner.hpp"

#include "harness/core/allot.hpp"
#include "harness/core/counts.hpp"
#include "harness/machine/instructions.hpp"
#include "harness/support/child.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/run_program.hpp"
#include "harness/support/scratch_folder.hpp"

#include <fmt/format.h>

#include <numeric>
#include <poll.h>

namespace harness::run {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds patience{60};  // CUDA's first start can take several seconds
constexpr std::chrono::milliseconds between_looks{200};
constexpr int loader_failed = 127;                 // the dynamic loader's exit code
constexpr auto no_room = "failed to map segment";  // its words where the library was there

struct Said {
  std::string all;
  std::string answer;          // the last line that is an object
  std::string last;            // the last line
  std::optional<int> stopped;  // the signal that came first
};

/// Collects lines until the stream ends, a signal comes or time is up.
Said listen(Child& child, SignalWatch& signals, steady_clock::time_point end) {
  Said said;
  LineReader lines;
  for (bool open = true; open && !said.stopped && steady_clock::now() < end;) {
    std::array<pollfd, 2> ready{{{child.said(), POLLIN, 0}, {signals.fd(), POLLIN, 0}}};
    poll(ready.data(), ready.size(), static_cast<int>(between_looks.count()));
    said.stopped = signals.take();
    open = lines.read(child.said()) && !child.poll();
    if (!open) lines.read(child.said());
    while (const auto line = lines.next()) {
      said.all += *line + '\n';
      if (line->starts_with('{')) said.answer = *line;
      if (!line->empty()) said.last = *line;
    }
  }
  return said;
}

/// "libtorch.so: cannot open shared object file" out of the dynamic loader's line.
std::string missing_library(const std::string& line) {
  const std::string lead = "error while loading shared libraries: ";
  const auto at = line.find(lead);
  return at == std::string::npos ? line : line.substr(at + lead.size());
}

std::string advice(const Exit& exit, const std::string& said) {
  if (!said.empty()) return "; it said: " + said;
  if (exit.signal != 0) return "; run tuneproof doctor to see how much memory is free";
  return "; is it a build of tuneproof?";
}

/// Ends us as the signal would have done had nobody waited for it.
[[noreturn]] void end_by(int signal) {
  std::raise(signal);
  throw BadInput("stopped");  // whoever blocks it reads it now
}

struct Reply {
  Said said;
  std::optional<Exit> exit;
};

/// The worker is gone afterwards, with all that it has started, however this ends.
Reply reply_of(const Command& worker) {
  SignalWatch signals;
  Child child(worker);
  child.send({});
  const auto end = steady_clock::now() + patience;
  Reply reply{.said = listen(child, signals, end), .exit = {}};
  while (!reply.said.stopped && !reply.exit && steady_clock::now() < end) {
    reply.exit = child.wait(between_looks);
    reply.said.stopped = signals.take();
  }
  return reply;
}

/// What it says before it ends as it should; `wanted` completes the sentence where it does not.
Said ask(const std::filesystem::path& worker, std::vector<std::string> arguments, const char* wanted) {
  if (!std::filesystem::exists(worker))
    throw BadInput(worker.string() + ": is missing beside tuneproof; run scripts/run.sh to build both");
  arguments.insert(arguments.end(), {"--parent", std::to_string(getpid())});  // which it must not outlive
  auto [said, exit] = reply_of({worker, std::move(arguments), worker_environment(1)});
  if (said.stopped) end_by(*said.stopped);
  const auto name = worker.filename().string();
  if (!exit) throw BadInput(name + " did not answer within " + std::to_string(patience.count()) + " s");
  if (exit->code == loader_failed && said.last.find(no_room) != std::string::npos)
    throw BadInput(name + " cannot start: its address space is too small for LibTorch (" +
                   missing_library(said.last) + "); raise it with ulimit -v unlimited");
  if (exit->code == loader_failed)
    throw BadInput(name + " cannot start: LibTorch or CUDA's runtime has moved since the build (" +
                   missing_library(said.last) + "); run scripts/run.sh to build it again");
  if (*exit != Exit{} || said.answer.empty())
    throw BadInput(name + " " + to_string(*exit) + " when asked for " + wanted + advice(*exit, said.last));
  return said;
}

/// The share of a row's seconds that one pass takes: the rehearsal counts as a round.
double pass_seconds(const WorkerSetup& worker_setup, const results::Row& row) {
  return worker_setup.row_seconds(row) / (1 + even_rounds);
}

PassView view_of(const WorkerSetup& worker_setup, const Pass& pass) {
  double seconds = 0;
  for (const auto& row : pass.rows) seconds += pass_seconds(worker_setup, row);
  const int left = pass.round ? pass.look - *pass.round : pass.look + 1;
  return {.pass = worker_setup.title +
                  (pass.round ? fmt::format("round {}/{}", *pass.round + 1, pass.look) : "rehearsal"),
          .rows = static_cast<int>(pass.rows.size()),
          .expected_left = seconds * left,
          .budget = pass.budget};
}

WorkerPlan worker_plan_of(const WorkerSetup& worker_setup, const Pass& pass) {
  auto worker_plan = worker_setup.plan;
  worker_plan.rows = pass.rows;
  worker_plan.budget = pass.budget;
  worker_plan.task.round = pass.round;
  return worker_plan;
}

}  // namespace

std::string ask_probe(const std::filesystem::path& worker, const Device& device) {
  return ask(worker, {"--probe", to_string(device)}, "the device").answer;
}

std::string ask_catalogue(const std::filesystem::path& worker) {
  const auto text = ask(worker, {"--catalogue"}, "its steps").all;
  const auto begin = text.find('{');  // behind what a library may have said
  return text.substr(begin);
}

std::string ask_selftest_pairs(const std::filesystem::path& worker) {
  return ask(worker, {"--selftest-catalogue"}, "the pairs of the self-test").answer;
}

std::vector<std::string> worker_environment(int threads) {
  return {"KINETO_LOG_LEVEL=99", "OMP_NUM_THREADS=" + std::to_string(threads)};
}

Runner worker_runner(const WorkerSetup& worker_setup, const results::Results& results, RunOutput& output,
                     SignalWatch& signals) {
  const auto run = [&](const Pass& pass, const std::function<void(results::Row)>& ended) {
    output.progress().begin_pass(view_of(worker_setup, pass));
    const Reports reports{.begun = [&](const std::string& row) { output.progress().begin_row(row); },
                          .ended =
                              [&](results::Row row) {
                                output.progress().end_row(pass_seconds(worker_setup, row));
                                ended(std::move(row));
                              },
                          .said = [&](const std::string& line) { output.say(line); },
                          .stop = [&] { return output.abandoned(); }};
    const auto worker_plan = worker_plan_of(worker_setup, pass);
    return Supervisor(worker_plan, reports, signals).run();
  };
  return {.run = run,
          .clock = [begin = std::chrono::steady_clock::now()]() -> Seconds {
            return std::chrono::steady_clock::now() - begin;
          },
          .store = [&] { output.store(results); }};
}

namespace {

constexpr double callgrind_slowdown = 60;

std::vector<results::Row> counted_rows(const results::Results& results) {
  std::vector<results::Row> rows;
  for (const auto& row : results.rows)
    if (!results::is_error(row) && !row.device.is_cuda() && row.rounds > 0) rows.push_back(place_of(row));
  return rows;
}

/// The worker under callgrind.
Command under_valgrind(const Command& worker, const std::filesystem::path& valgrind,
                       const std::filesystem::path& folder) {
  auto command = worker;
  command.program = valgrind;
  command.arguments = callgrind_options(folder);
  command.arguments.push_back(worker.program.string());
  command.arguments.insert(command.arguments.end(), worker.arguments.begin(), worker.arguments.end());
  return command;
}

void take_over(results::Results& results, const results::Row& counted, RunOutput& output) {
  if (results::is_error(counted))
    return output.say(fmt::format("instructions of {}: {}", counted.name, counted.reason));
  const auto row = std::ranges::find(results.rows, counted.name, &results::Row::name);
  if (row == results.rows.end()) return;
  auto& figures = row->measured.figures;
  std::erase_if(figures, [](const Figure& figure) { return figure.unit == instructions_unit; });
  for (const auto& figure : counted.measured.figures)
    if (figure.unit == instructions_unit) figures.push_back(figure);
}

}  // namespace

std::optional<int> count_rows(WorkerPlan worker_plan, const Reports& reports, SignalWatch& signals) {
  const ScratchFolder scratch(temporary_folder());
  auto& count = worker_plan.task.count.emplace();
  if (const auto reason = why_no_counter(); !reason.empty()) {
    const auto valgrind = find_program("valgrind");
    if (valgrind.empty()) {
      reports.said(fmt::format("tuneproof: instructions cannot be counted: {}, and valgrind is not installed",
                               reason));
      return std::nullopt;
    }
    const auto rows = worker_plan.rows.size();
    reports.said(fmt::format("counting instructions of {} row{} under valgrind ({})", rows,
                             rows == 1 ? "" : "s", reason));
    worker_plan.worker = under_valgrind(worker_plan.worker, valgrind, scratch.path());
    worker_plan.row_timeout.time *= callgrind_slowdown;
    count = scratch.path().string();
  }
  return Supervisor(worker_plan, reports, signals).run().signal;
}

std::optional<int> count_instructions(results::Results& results, const WorkerSetup& workers,
                                      const Limits& limits, RunOutput& output, SignalWatch& signals) {
  auto worker_plan = workers.plan;
  worker_plan.rows = counted_rows(results);
  if (limits.budget) worker_plan.budget = limits.budget->time;
  if (worker_plan.rows.empty()) return std::nullopt;
  const auto begin = std::chrono::steady_clock::now();
  auto left = worker_plan.rows.size();
  const Reports reports{.begun = [&](const std::string& row) { output.say("counting " + row); },
                        .ended =
                            [&](results::Row row) {
                              --left;
                              take_over(results, row, output);
                            },
                        .said = [&](const std::string& line) { output.say(line); },
                        .stop = [&] { return output.abandoned(); }};
  const auto signal = count_rows(std::move(worker_plan), reports, signals);
  const bool out_of_time = limits.budget && std::chrono::steady_clock::now() - begin >= limits.budget->time;
  if (left > 0 && out_of_time && !signal) output.say(left_out_text("counted", left, limits));
  output.store(results);
  return signal;
}

}  // namespace harness::run
