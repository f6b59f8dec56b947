#include "prices/prices.hpp"

#include "harness/core/median.hpp"
#include "harness/core/setup.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/device.hpp"
#include "harness/libtorch/torch_runtime.hpp"
#include "harness/machine/device_model.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/exit_codes.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"

#include "prices/balance.hpp"
#include "prices/command.hpp"
#include "prices/partners.hpp"
#include "prices/price_list.hpp"
#include "prices/price_row.hpp"
#include "prices/priced_machine.hpp"
#include "prices/table_line.hpp"
#include "prices/words.hpp"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <malloc.h>
#include <poll.h>

namespace prices {
namespace {

/// Passes everything on to the reporter that Google Benchmark would use, and keeps what the balance needs.
class Collector : public benchmark::BenchmarkReporter {
 public:
  /// `brief`: says before the table only what concerns its reader.
  Collector(benchmark::BenchmarkReporter& display, bool brief, std::optional<Pace> pace)
      : display_(display), brief_(brief), pace_(std::move(pace)) {}

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override { display_.Finalize(); }

  /// One for each row that succeeded: of repetitions the medians.
  std::vector<Price> prices() const;
  /// Rows, or repetitions of rows, that ended in an error and were not merely skipped.
  int failures() const { return failures_; }

 private:
  struct Samples {
    std::string name;
    std::vector<double> seconds, bytes_per_second, flop_per_second;
  };
  void take(const Run& run);
  void tell_pace();

  benchmark::BenchmarkReporter& display_;
  bool brief_;
  std::optional<Pace> pace_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  harness::OtherWork other_;
  std::vector<Samples> rows_;
  int failures_ = 0;
};

/// True of a pipe whose other end is closed.
bool nobody_reads_the_table() {
  pollfd table{STDOUT_FILENO, 0, 0};
  return poll(&table, 1, 0) > 0 && (table.revents & POLLERR) != 0;
}

double counter(const benchmark::UserCounters& counters, const char* name) {
  const auto found = counters.find(name);
  return found == counters.end() ? 0 : found->second.value;
}

bool Collector::ReportContext(const Context& context) {
  // Distributions build the library with optimization, but without NDEBUG, and it then warns of itself. No
  // row calls into it while a clock runs: the loops are in its header, and so in this program.
  constexpr std::string_view warning = "***WARNING*** Library was built as DEBUG";
  std::stringstream all;
  display_.SetErrorStream(&all);
  const bool go_on = display_.ReportContext(context);
  display_.SetErrorStream(&std::cerr);
  for (std::string line; std::getline(all, line);)
    if (!line.starts_with(warning) && !(brief_ && is_left_to_the_file(line))) std::cerr << line << '\n';
  std::cerr << std::flush;
  return go_on;
}

void Collector::ReportRuns(const std::vector<Run>& runs) {
  for (const auto& run : runs) take(run);
  display_.ReportRuns(runs);
  // Has the row in the table before the file has it: whatever ends the program then, both agree.
  std::cout.flush();
  // As if we had died of it, like any program in a pipe; a reader of standard error may leave.
  if (!std::cout && nobody_reads_the_table()) std::_Exit(128 + SIGPIPE);
  tell_pace();
}

/// No clock of a row runs now.
void Collector::tell_pace() {
  if (!pace_) return;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
  if (const auto said = pace_->row_ended(elapsed.count(), other_.share()); !said.empty()) harness::tell(said);
}

void Collector::take(const Run& run) {
  if (const auto error = error_of(run)) {
    if (!error->starts_with(skipped)) ++failures_;
    return;
  }
  const auto& name = run.run_name.function_name;
  const bool known = !rows_.empty() && rows_.back().name == name;
  // With --benchmark_report_aggregates_only there is nothing else.
  if (run.run_type == Run::RT_Aggregate && (run.aggregate_name != "median" || known)) return;
  if (!known) rows_.push_back({.name = name, .seconds = {}, .bytes_per_second = {}, .flop_per_second = {}});
  auto& row = rows_.back();
  row.seconds.push_back(run.GetAdjustedRealTime() / benchmark::GetTimeUnitMultiplier(run.time_unit));
  row.bytes_per_second.push_back(counter(run.counters, "bytes_per_second"));
  row.flop_per_second.push_back(counter(run.counters, "FLOP/s"));
}

std::vector<Price> Collector::prices() const {
  std::vector<Price> all;
  for (const auto& row : rows_)
    all.push_back({.name = row.name,
                   .seconds = harness::median(row.seconds),
                   .bytes_per_second = harness::median(row.bytes_per_second),
                   .flop_per_second = harness::median(row.flop_per_second)});
  return all;
}

using Run = benchmark::BenchmarkReporter::Run;

std::string name_of(const Run& run) {
  auto name = plain_name(run.run_name.str());
  if (run.run_type == Run::RT_Aggregate) name += "_" + run.aggregate_name;
  return name;
}

/// In the unit that fits, or in the one of --benchmark_time_unit.
std::string time_of(const Run& run) {
  const double time = run.GetAdjustedRealTime();
  if (run.time_unit != benchmark::kMicrosecond)
    return fmt::format("{:.3g} {}", time, benchmark::GetTimeUnitString(run.time_unit));
  return harness::time_text(time / benchmark::GetTimeUnitMultiplier(run.time_unit));
}

std::string rate_of(const Run& run, const char* counter, const char* unit) {
  const auto found = run.counters.find(counter);
  return found == run.counters.end() ? "" : harness::rate_text(found->second.value, unit);
}

/// The spread of repetitions, a share and no time.
bool is_a_share(const Run& run) {
  return run.run_type == Run::RT_Aggregate && run.aggregate_unit == benchmark::StatisticUnit::kPercentage;
}

/// In place of Google Benchmark's own table, which is wider than 100 columns, counts rates in 2^30, and shows
/// the host's CPU time of rows that a device or another process works for.
class Table : public benchmark::ConsoleReporter {
 public:
  explicit Table(const harness::Style& style) : ConsoleReporter(OO_None), style_(style) {}

 protected:
  void PrintHeader(const Run& run) override;
  void PrintRunData(const Run& run) override;

 private:
  std::size_t width() const;

  harness::Style style_;
};

std::size_t Table::width() const { return names_width(name_field_width_, style_); }

void Table::PrintHeader(const Run& /*run*/) { GetOutputStream() << table_head(width(), style_); }

void Table::PrintRunData(const Run& run) {
  auto& out = GetOutputStream();
  const auto name = name_of(run);
  if (const auto error = error_of(run)) {
    out << table_error(name, *error, style_);
    return;
  }
  if (is_a_share(run)) {
    constexpr double percent = 100;
    out << table_line({name, fmt::format("{:.2f} %", percent * run.real_accumulated_time), {}}, width(),
                      style_);
    return;
  }
  TableLine line{name, time_of(run), rate_of(run, "bytes_per_second", "B"), rate_of(run, "busbw", "B")};
  if (line.rate.empty()) line.rate = rate_of(run, "FLOP/s", "FLOP");
  if (!line.more.empty()) line.more = "bus " + line.more;
  out << table_line(line, width(), style_);
}

using Subject = void (*)(const Machine&);
constexpr Subject subjects[] = {add_host_memory, add_handover,       add_ping_pong,  add_collectives,
                                add_threads,     add_host_bandwidth, add_operators,  add_products,
                                add_copies,      add_launches,       add_allocators, add_device_bandwidth,
                                add_devices,     add_managed,        add_nodes};

/// What the parent asks for.
struct Order {
  std::string_view device;
  std::string_view place;  // the fingerprint of this machine and its software
  std::span<const std::string_view> flags;
  const harness::BuildInfo& build;
};

struct Chosen {
  harness::Device device;      // the host where there is no other
  harness::DeviceFacts facts;  // of the CUDA device
  std::string unrun;           // why there are no prices of CUDA; empty where there are
};

Chosen choose(std::string_view asked, const harness::BuildInfo& build) {
  Chosen chosen;
  if (asked == "cpu") {
    chosen.unrun = "--device cpu";
    return chosen;
  }
  const auto device = harness::parse_device(asked == "auto" ? "cuda:0" : asked);
  chosen.facts = harness::probe_device(device.index, std::string(build.cuda_architectures));
  if (chosen.facts.status == "ok")
    chosen.device = device;
  else
    chosen.unrun = chosen.facts.message;
  return chosen;
}

Machine machine_of(const Chosen& chosen, harness::TorchRuntime& torch) {
  Machine machine{.device = chosen.device,
                  .stream = torch.stream_for(chosen.device),
                  .devices = chosen.facts.count,
                  .threads = at::get_num_threads(),
                  .host_bytes = host_bytes_to_use(),
                  .device_bytes = 0};
  if (!machine.has_cuda()) return machine;
  std::size_t free = 0;
  std::size_t total = 0;
  harness::check(cudaMemGetInfo(&free, &total));
  machine.device_bytes = free / 10 * 9;
  return machine;
}

void add_context(const Chosen& chosen, const Machine& machine, const Order& order) {
  const auto& build = order.build;
  benchmark::AddCustomContext("fingerprint", std::string(order.place));
  benchmark::AddCustomContext("threads", std::to_string(machine.threads));
  benchmark::AddCustomContext("tuneproof", fmt::format("{} ({})", build.version, build.commit));
  benchmark::AddCustomContext("libtorch",
                              fmt::format("{}, {} threads", harness::torch_version(), machine.threads));
  const auto device = fmt::format("{}: {}", harness::to_string(chosen.device), chosen.facts.name);
  const auto unrun = fmt::format("CUDA prices: not measured, {}", chosen.unrun);
  benchmark::AddCustomContext("cuda", chosen.unrun.empty() ? device : unrun);
  if (chosen.facts.name.empty()) return;
  benchmark::AddCustomContext("gpu", chosen.facts.name);
  benchmark::AddCustomContext("gpu_multiprocessors", std::to_string(chosen.facts.multiprocessors));
  benchmark::AddCustomContext("gpu_memory_bytes", std::to_string(chosen.facts.memory_bytes));
}

/// Whether our table takes the place of theirs, which --benchmark_counters_tabular asks for.
bool is_ours(const benchmark::BenchmarkReporter& theirs, std::span<const std::string_view> flags) {
  return dynamic_cast<const benchmark::ConsoleReporter*>(&theirs) != nullptr &&
         std::ranges::none_of(
             flags, [](std::string_view flag) { return flag.starts_with("--benchmark_counters_tabular"); });
}

/// What is said beside the table: where the output is for a program, it is not part of it.
class Beside {
 public:
  explicit Beside(const benchmark::BenchmarkReporter& display)
      : table_(dynamic_cast<const benchmark::ConsoleReporter*>(&display) != nullptr) {}
  void print(std::string_view text) const { (table_ ? std::cout : std::cerr) << text << std::flush; }
  harness::Style style() const { return harness::style_of(table_ ? stdout : stderr); }

 private:
  bool table_;
};

/// `said` is Google Benchmark's line on the filter, which begins with a capital and names it.
std::string no_row_sentence(std::string said) {
  said = said.substr(0, said.find('\n'));
  return fmt::format("no price matches: {}; run tuneproof prices --benchmark_list_tests to see all rows",
                     said.empty() ? "no row matches" : said);
}

std::optional<harness::DeviceModel> sheet_of(const harness::DeviceFacts& facts) {
  return harness::device_model({.name = facts.name,
                                .multiprocessors = facts.multiprocessors,
                                .memory_bytes = static_cast<double>(facts.memory_bytes)});
}

/// The last filter holds.
bool is_quick(std::span<const std::string_view> flags) {
  std::string_view filter;
  for (const auto flag : flags)
    if (flag.starts_with("--benchmark_filter=")) filter = flag;
  return filter == quick_filter;
}

int run_all(Words& words, const harness::DeviceFacts& facts, std::span<const std::string_view> flags,
            const harness::OtherWork& other) {
  const bool stands_in = harness::results::is_stand_in(facts.name);
  auto& theirs = *benchmark::CreateDefaultDisplayReporter();
  Table ours(harness::style_of(stdout));
  auto& display = is_ours(theirs, flags) ? ours : theirs;
  const Beside beside(display);
  const auto warning = stands_in ? harness::results::warning_line(beside.style()) : std::string();
  beside.print(warning);
  const auto pace = words.pace();
  const auto at_first = other.share();
  if (pace) harness::tell(pace->forecast(at_first));
  Collector collector(display, &display == &ours, pace);
  std::ostringstream said;  // by Google Benchmark of the filter
  collector.SetErrorStream(&said);
  const auto matched = benchmark::RunSpecifiedBenchmarks(&collector, words.reporter());
  benchmark::ClearRegisteredBenchmarks();
  benchmark::Shutdown();
  if (matched == 0) throw harness::BadInput(no_row_sentence(said.str()));
  std::cerr << said.str();
  words.keep_file();
  if (!collector.prices().empty()) {  // as of a list of names
    const auto all = other.share().value_or(0);
    const auto share = fmt::format("{}", all);
    const auto busy = busy_sentence(share);
    const auto doubt = busy.empty() && pace ? busy_at_first(at_first.value_or(0), all) : busy;
    beside.print(balance_text(balance_of(collector.prices(), sheet_of(facts), share), beside.style(),
                              is_quick(flags)) +
                 warning_text(doubt, beside.style()) + warning +
                 next_text(words.file(), !busy.empty(), beside.style()));
  }
  if (collector.failures() > 0)
    std::fprintf(stderr, "tuneproof: %d price%s could not be measured\n", collector.failures(),
                 collector.failures() == 1 ? "" : "s");
  if (!std::cout.flush()) throw std::runtime_error("the output could not be written");
  return collector.failures() > 0 ? 1 : 0;
}

/// Blocks from 128 KiB on are fresh pages each time, as they are at first in any program: glibc would move
/// that limit with what earlier rows have freed.
void fix_allocation() { mallopt(M_MMAP_THRESHOLD, 128 * 1024); }  // NOLINT(concurrency-mt-unsafe): once

int measure(const Order& order) {
  std::signal(SIGPIPE, SIG_IGN);  // the collector ends the program where nobody reads the table
  const auto device = order.device;
  const harness::OtherWork other;
  Words words(order.flags, other);
  benchmark::SetDefaultTimeUnit(benchmark::kMicrosecond);
  words.hand_over();
  const auto chosen = choose(device, order.build);
  if (device.starts_with("cuda") && !chosen.unrun.empty()) {
    std::fprintf(stderr, "tuneproof: %s\n", chosen.unrun.c_str());
    return harness::no_device_exit;
  }
  if (chosen.unrun.empty())
    refuse_blocking_launches(
        [](const char* name) { return std::getenv(name); });  // NOLINT(concurrency-mt-unsafe)
  fix_allocation();
  harness::TorchRuntime torch(at::get_num_threads());
  const auto machine = machine_of(chosen, torch);
  add_context(chosen, machine, order);
  for (const auto subject : subjects) subject(machine);
  return run_all(words, chosen.facts, order.flags, other);
}

}  // namespace

int prices_mode(std::span<const std::string_view> words, const harness::BuildInfo& build) {
  constexpr std::string_view device = "--device=";
  constexpr std::string_view place = "--place=";
  if (words.size() == 1 && words.front() == "--end") return 0;
  if (!words.empty() && words.front() == "--rank") return partner_main(words.subspan(1));
  if (words.size() < 2 || !words[0].starts_with(device) || !words[1].starts_with(place)) {
    std::fputs("tuneproof-worker: only tuneproof starts this program; run tuneproof instead\n", stderr);
    return 1;
  }
  try {
    return measure({words[0].substr(device.size()), words[1].substr(place.size()), words.subspan(2), build});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tuneproof: %s\n", error.what());
    return 1;
  }
}

}  // namespace prices
