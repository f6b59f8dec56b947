#include "prices/command.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/machine/host.hpp"
#include "harness/results/fingerprint.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/fd.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/signals.hpp"
#include "harness/support/spawn.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/usage.hpp"
#include "harness/support/usual_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <poll.h>
#include <sys/syscall.h>

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
  static const std::vector<std::string> flags{std::string(quick_filter), "--benchmark_min_time=0.05",
                                              std::string("--benchmark_out=") + harness::usual_prices};
  return flags;
}

constexpr auto footer =
    "The rows are Google Benchmark's, and so are all flags except --device and --quick. Write each\n"
    "flag as --name=value:\n"
    "{}\n"
    "Without a GPU, prices of CUDA are left out, and a line above the table says so. On one H200\n"
    "copies in one direction agreed with nvbandwidth within 4 %. Below the rows stands what follows\n"
    "from them: FLOP per byte, t = a + n/b where it fits, and the sizes at which something pays.\n"
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

/// A flag of Google Benchmark. `value` is what stands behind the "=", by the names below, or one of a list
/// ("ns|us|ms|s").
struct Flag {
  std::string_view name;
  std::string_view value;
  std::string_view about;
};

// Those of version 1.7; what a newer one adds is handed on as well.
constexpr std::string_view formats = "console|json|csv";
constexpr std::string_view yes_or_no = "BOOL";
constexpr std::string_view seconds = "SECONDS";
constexpr std::string_view count = "N";
constexpr std::string_view file = "FILE";
constexpr std::string_view pairs = "KEY=VALUE,..";
constexpr std::array<Flag, 15> flags{{
    {"--benchmark_filter", "REGEX", "take only matching rows (-REGEX: only others)"},
    {"--benchmark_list_tests", "", "print the names of the rows; measure nothing"},
    {"--benchmark_min_time", seconds, "measure each row for at least this long (0.5)"},
    {"--benchmark_min_warmup_time", seconds, "warm each row up for this long (0)"},
    {"--benchmark_repetitions", count, "measure each row N times; add mean, median, stddev"},
    {"--benchmark_enable_random_interleaving", yes_or_no, "mix the repetitions of different rows"},
    {"--benchmark_report_aggregates_only", yes_or_no, "print and write only mean, median and the like"},
    {"--benchmark_display_aggregates_only", yes_or_no, "print only these, but write all rows to the file"},
    {"--benchmark_format", formats, "format of the output"},
    {"--benchmark_out", file, "also write the rows to FILE"},
    {"--benchmark_out_format", formats, "format of that file (json)"},
    {"--benchmark_counters_tabular", yes_or_no, "show Google Benchmark's own table"},
    {"--benchmark_color", "auto|true|false", "color of that table (auto: on a terminal)"},
    {"--benchmark_context", pairs, "add this to the context"},
    {"--benchmark_time_unit", "ns|us|ms|s", "unit of the times (the one that fits)"},
}};

std::vector<std::string> names() {
  std::vector<std::string> all{"--device", "--quick", "--help"};
  for (const auto& flag : flags) all.emplace_back(flag.name);
  return all;
}

bool is_among(std::string_view value, std::string_view list) {
  while (!list.empty()) {
    const auto bar = list.find('|');
    if (value == list.substr(0, bar)) return true;
    list = bar == list.npos ? std::string_view{} : list.substr(bar + 1);
  }
  return false;
}

bool is_yes_or_no(std::string_view value) {
  std::string lower(value);
  for (auto& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return is_among(lower, "true|false|yes|no|on|off|1|0|t|f|y|n");
}

/// 0.5, or as newer versions write it 0.5s (Words takes the s away again).
bool is_time(std::string_view value) {
  double number = -1;
  const auto* const end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, number);
  const bool unit = end - rest == 1 && *rest == 's';
  return error == std::errc() && (rest == end || unit) && std::isfinite(number) && number >= 0;
}

constexpr int most_repetitions = 100'000;  // Google Benchmark makes room for all of them at once

bool is_count(std::string_view value) {
  const auto number = harness::parse_number<int>(value);
  return number && *number >= 1 && *number <= most_repetitions;
}

/// Of keys that are not ours: the context says whether CUDA's prices were run.
bool are_pairs(std::string_view value) {
  while (!value.empty()) {
    const auto pair = value.substr(0, value.find(','));
    const auto key = pair.substr(0, pair.find('='));
    if (key.size() == pair.size() || is_among(key, "cuda|gpu|libtorch|other_cpu_share|tuneproof|whole"))
      return false;
    value.remove_prefix(std::min(value.size(), pair.size() + 1));
  }
  return true;
}

/// What the flag takes, where that is not what it was given; empty where it is.
std::string refusal(const Flag& flag, std::string_view value) {
  if (flag.value == yes_or_no) return is_yes_or_no(value) ? "" : "true or false";
  if (flag.value == seconds) return is_time(value) ? "" : "a number of seconds from 0";
  if (flag.value == count)
    return is_count(value) ? "" : fmt::format("a whole number from 1 to {}", most_repetitions);
  if (flag.value == pairs)
    return are_pairs(value)
               ? ""
               : fmt::format(
                     "{} without tuneproof's own keys cuda, gpu, libtorch, other_cpu_share, tuneproof, whole",
                     pairs);
  if (flag.value == file) return value.empty() ? "the name of a file" : "";
  const bool list = flag.value.find('|') != flag.value.npos;
  const bool switches = flag.name == "--benchmark_color" && is_yes_or_no(value);
  return !list || switches || is_among(value, flag.value) ? "" : fmt::format("one of {}", flag.value);
}

/// `given` is as the user wrote it: a flag, or a variable of the environment.
void check_value(const Flag& flag, std::string_view given, std::string_view value) {
  if (const auto takes = refusal(flag, value); !takes.empty())
    throw harness::BadInput(
        fmt::format("{} is {}, not '{}'; see tuneproof prices --help", given, takes, value));
}

}  // namespace

void add_prices(CLI::App& app, const harness::catalogue::Program& program, const harness::BuildInfo& build,
                harness::catalogue::Action& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("prices",
                                     "Measure what copies, launches, allocations, products, exchanges of "
                                     "ranks and the like cost here");
  harness::add_value(*command, "--device", arguments->device, "DEVICE",
                     "auto (cuda:0 if there is one), cpu, cuda or cuda:N");
  command->add_flag(
      "--quick", arguments->quick,
      "Measure only the rows that tell how good the machine is, 0.05 s each, and write prices.json");
  command->allow_extras();
  command->footer(fmt::format(footer, flags_help()));
  command->callback([command, arguments, &program, &build, &chosen] {
    arguments->google = command->remaining();
    chosen = [arguments, &program, &build] { return run_prices(program, *arguments, build); };
  });
}

std::string flags_help() {
  std::string help;
  for (const auto& flag : flags) {
    const auto left = fmt::format("{}{}{}", flag.name, flag.value.empty() ? "" : "=", flag.value);
    help += fmt::format("  {:45}{}\n", left, flag.about);
  }
  return help;
}

void check_word(const std::string& word) {
  if (!word.starts_with("-"))
    throw harness::BadInput(
        fmt::format("prices does not take '{}'; write Google Benchmark's flags as --name=value; see "
                    "tuneproof prices --help",
                    word));
  if (!word.starts_with("--benchmark_") && !word.starts_with("--v="))
    throw harness::BadInput(unknown_word(word));
  const auto equals = word.find('=');
  if (equals == std::string::npos) return;
  for (const auto& flag : flags)
    if (flag.name == std::string_view(word).substr(0, equals))
      check_value(flag, flag.name, std::string_view(word).substr(equals + 1));
}

void check_environment(const Environment& environment) {
  for (const auto& flag : flags) {
    std::string name(flag.name.substr(std::string_view("--").size()));
    for (auto& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const auto* given = environment(name.c_str());
    const std::string_view value = given == nullptr ? "" : given;
    if (given != nullptr && !(flag.value == file && value.empty())) check_value(flag, name, value);
  }
}

void refuse_blocking_launches(const Environment& environment) {
  const auto* value = environment("CUDA_LAUNCH_BLOCKING");
  if (value == nullptr || *value == '\0' || std::string_view(value) == "0") return;
  throw harness::BadInput(
      fmt::format("CUDA_LAUNCH_BLOCKING={} makes each launch wait for its kernel, which distorts CUDA's "
                  "prices; unset it, or give --device cpu",
                  value));
}

std::string unknown_word(const std::string& word) {
  const auto equals = word.find('=');
  const auto name = word.substr(0, equals);
  const auto all = names();
  for (const auto& known : all)
    if (known == name && equals == std::string::npos)
      return fmt::format("{} needs a value, written {}=...; see tuneproof prices --help", name, name);
    else if (known == name)
      return fmt::format("{} does not take '{}'; see tuneproof prices --help", name, word.substr(equals + 1));
  const auto near = harness::did_you_mean(name, all);
  const auto rest = near.empty() ? std::string("; see tuneproof prices --help") : near;
  return fmt::format("prices has no option '{}'{}", word, rest);
}

}  // namespace prices
