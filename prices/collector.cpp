#include "prices/collector.hpp"

#include "harness/core/median.hpp"

#include "prices/row.hpp"

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <poll.h>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace prices {
namespace {

/// Why the run has no time, if so. Google Benchmark 1.8 has other members for it.
template <class Run>
std::optional<std::string_view> error_of(const Run& run) {
  if constexpr (requires { run.error_occurred; })
    return run.error_occurred ? std::optional<std::string_view>(run.error_message) : std::nullopt;
  else
    return static_cast<int>(run.skipped) != 0 ? std::optional<std::string_view>(run.skip_message)
                                              : std::nullopt;
}

/// True of a pipe whose other end is closed.
bool nobody_reads_the_table() {
  pollfd table{STDOUT_FILENO, 0, 0};
  return poll(&table, 1, 0) > 0 && (table.revents & POLLERR) != 0;
}

double counter(const benchmark::UserCounters& counters, const char* name) {
  const auto found = counters.find(name);
  return found == counters.end() ? 0 : found->second.value;
}

}  // namespace

bool Collector::ReportContext(const Context& context) {
  // Distributions build the library with optimization, but without NDEBUG, and it then warns of itself. No
  // row calls into it while a clock runs: the loops are in its header, and so in this program.
  constexpr std::string_view warning = "***WARNING*** Library was built as DEBUG";
  std::stringstream all;
  display_.SetErrorStream(&all);
  const bool go_on = display_.ReportContext(context);
  display_.SetErrorStream(&std::cerr);
  for (std::string line; std::getline(all, line);)
    if (!line.starts_with(warning)) std::cerr << line << '\n';
  std::cerr << std::flush;
  return go_on;
}

void Collector::ReportRuns(const std::vector<Run>& runs) {
  for (const auto& run : runs) take(run);
  display_.ReportRuns(runs);
  // As if we had died of it, like any program in a pipe; a reader of standard error may leave.
  if (!std::cout && nobody_reads_the_table()) std::_Exit(128 + SIGPIPE);
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

}  // namespace prices
