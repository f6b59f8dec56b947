#include "prices/command.hpp"

#include "harness/core/setup.hpp"
#include "harness/machine/host.hpp"
#include "harness/results/fingerprint.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/fd.hpp"
#include "harness/support/signals.hpp"
#include "harness/support/spawn.hpp"
#include "harness/support/terminal.hpp"

#include "prices/flags.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <poll.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace prices {
namespace {

struct Arguments {
  std::string device = "auto";
  bool quick = false;
  std::string place = {};  // the fingerprint's id, for the file
  std::vector<std::string> google;
};

/// What --quick stands for. A flag of the user's comes behind these, and holds.
const std::vector<std::string>& quick_flags() {
  static const std::vector<std::string> flags{
      "--benchmark_filter=^prices/(copy/|triad/|product/|memcpy/|launch/|graph/|dispatch/)",
      "--benchmark_min_time=0.05", "--benchmark_out=prices.json"};
  return flags;
}

constexpr auto footer =
    "The rows are Google Benchmark's, and so are all flags except --device and --quick. Write each\n"
    "flag as --name=value:\n"
    "{}\n"
    "Without a GPU the context says that CUDA's prices have not run. On one H200 copies in one\n"
    "direction agreed with nvbandwidth within 4 %. Below the rows, prices prints what follows from\n"
    "them: FLOP per byte, t = a + n/b where it fits, and the sizes at which something pays.\n"
    "\n"
    "Examples:\n"
    "  tuneproof prices\n"
    "  tuneproof prices --quick                  before a `tuneproof run`, whose last lines then use it\n"
    "  tuneproof prices --benchmark_filter='memcpy|handover' --benchmark_repetitions=5\n"
    "  tuneproof prices --device cuda:1 --benchmark_filter=copy/h2d --benchmark_out=h2d.json";

/// What the worker keeps at its end may take a moment.
void end(pid_t worker, pollfd ended) {
  constexpr int patience_ms = 5000;
  kill(worker, SIGTERM);
  if (poll(&ended, 1, patience_ms) == 0) kill(worker, SIGKILL);
}

/// The worker's table is ours. A signal ends the worker; what had ended by then is there.
int follow(const harness::Command& worker) {
  harness::SignalWatch signals;
  sigset_t none;
  sigemptyset(&none);
  const auto pid = harness::spawn_named(worker, {.blocked = none});
  const harness::Fd ended(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  std::array<pollfd, 2> watched{pollfd{ended.get(), POLLIN, 0}, {signals.fd(), POLLIN, 0}};
  while (poll(watched.data(), watched.size(), -1) < 0 && errno == EINTR) continue;
  const auto signal = signals.take();
  if (signal) end(pid, watched[0]);
  const auto exit = harness::wait_for_end(pid);
  if (signal)
    harness::tell(
        "stopped; the table has what had ended, and so has the file of --benchmark_out if that is JSON");
  else if (exit.signal != 0)
    harness::tell(worker.program.filename().string() + " " + to_string(exit));
  return signal ? 128 + *signal : exit.signal != 0 ? 128 + exit.signal : exit.code;
}

int run_prices(const harness::catalogue::Program& program, Arguments arguments,
               const harness::BuildInfo& build) {
  const auto device =
      arguments.device == "auto" ? harness::Device{} : harness::parse_device(arguments.device);
  for (const auto& word : arguments.google) check_word(word);
  check_environment([](const char* name) { return std::getenv(name); });  // NOLINT(concurrency-mt-unsafe)
  const auto probe = harness::parse_json(harness::run::ask_probe(program.worker, device), "probe");
  arguments.place = harness::results::place_of_prices(harness::results::take_fingerprint(probe, build));
  std::vector<std::string> words{"--prices", "--device=" + arguments.device, "--place=" + arguments.place};
  if (arguments.quick) words.insert(words.end(), quick_flags().begin(), quick_flags().end());
  words.insert(words.end(), arguments.google.begin(), arguments.google.end());
  words.insert(words.end(), {"--parent", std::to_string(getpid())});  // which it must not outlive
  return follow({program.worker, std::move(words),
                 harness::run::worker_environment(harness::usable_cores(harness::read_host()))});
}

}  // namespace

void add_prices(CLI::App& app, const harness::catalogue::Program& program, const harness::BuildInfo& build,
                harness::catalogue::Action& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("prices",
                                     "Measure what copies, launches, allocations, products, exchanges of "
                                     "ranks and the like cost here");
  command->add_option("--device", arguments->device, "auto (cuda:0 if there is one), cpu, cuda or cuda:N")
      ->type_name("DEVICE");
  command->add_flag("--quick", arguments->quick,
                    "Take only what tells how good the machine is, for 0.05 s each, into prices.json");
  command->allow_extras();
  command->footer(fmt::format(footer, flags_help()));
  command->callback([command, arguments, &program, &build, &chosen] {
    arguments->google = command->remaining();
    chosen = [arguments, &program, &build] { return run_prices(program, *arguments, build); };
  });
}

}  // namespace prices
