#include "prices/table.hpp"

#include "harness/support/quantity.hpp"

#include "prices/price_list.hpp"
#include "prices/price_row.hpp"
#include "prices/table_line.hpp"

#include <fmt/format.h>

namespace prices {
namespace {

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

}  // namespace

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

}  // namespace prices
