#include "harness/simulate/line_text.hpp"

#include "harness/simulate/units.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace harness::simulate {
namespace {

constexpr std::size_t columns = 64;

/// Nanoseconds of each column that spans cover.
class Track {
 public:
  explicit Track(Nanoseconds all) : all_(std::max<Nanoseconds>(all, 1)) {}

  void cover(Nanoseconds begin, Nanoseconds end) {
    for (std::size_t column = column_of(begin); column < columns && edge(column) < end; ++column)
      covered_[column] +=
          std::max<Nanoseconds>(std::min(end, edge(column + 1)) - std::max(begin, edge(column)), 0);
  }
  bool empty() const {
    return std::ranges::all_of(covered_, [](Nanoseconds time) { return time == 0; });
  }
  /// The share of a column that is covered.
  double share(std::size_t column) const {
    const auto width = edge(column + 1) - edge(column);
    return width == 0 ? 0 : static_cast<double>(covered_[column]) / static_cast<double>(width);
  }

 private:
  Nanoseconds edge(std::size_t column) const { return all_ * static_cast<Nanoseconds>(column) / columns; }
  std::size_t column_of(Nanoseconds time) const {
    const auto at = static_cast<std::size_t>(time * static_cast<Nanoseconds>(columns) / all_);
    return std::min(at == 0 ? 0 : at - 1, columns - 1);
  }

  Nanoseconds all_;
  std::array<Nanoseconds, columns> covered_{};
};

char letter(double share) {
  constexpr double nearly_all = 0.9, half = 0.5;
  return share > nearly_all ? '#' : share > half ? '+' : share > 0 ? '-' : ' ';
}

std::string row_of(const char* name, const std::string& letters) {
  return fmt::format("  {:<10}|{}|\n", name, letters);
}

std::string engine_row(const char* name, const Timeline& line, Engine engine, Nanoseconds all) {
  Track track(all);
  for (const auto& span : line.device)
    if (span.engine == engine) track.cover(span.begin, span.end);
  if (track.empty()) return {};
  std::string letters;
  for (std::size_t i = 0; i < columns; ++i) letters += letter(track.share(i));
  return row_of(name, letters);
}

std::string host_row(const Timeline& line, Nanoseconds all) {
  Track works(all);
  Track waits(all);
  for (const auto& span : line.host) (span.waits ? waits : works).cover(span.begin, span.end);
  std::string letters;
  for (std::size_t i = 0; i < columns; ++i)
    letters += waits.share(i) > works.share(i) ? '.' : letter(works.share(i));
  return row_of("host", letters);
}

std::string over(const Timeline& line, Nanoseconds all) {
  return host_row(line, all) + engine_row("kernels", line, Engine::multiprocessors, all) +
         engine_row("copies in", line, Engine::to_device, all) +
         engine_row("copies out", line, Engine::to_host, all);
}

}  // namespace

std::string lines_text(const std::vector<SimulatedRow>& rows) {
  std::string out;
  for (const auto& row : rows) {
    if (!row.reason.empty()) continue;
    Nanoseconds all = 0;
    for (const auto& form : row.forms) all = std::max(all, form.line.end);
    out +=
        fmt::format("\n{}, simulated on {}\n(# works over 90 % of the time, + over half, - less; . waits)\n",
                    row.row, row.gpu);
    for (const auto& form : row.forms)
      out += fmt::format("\n  {} form, {}\n{}", form.form, time_text(form.seconds), over(form.line, all));
    out += fmt::format("  {:<9} 0{:>{}}\n", "", time_text(seconds(all)), columns - 1);
  }
  return out;
}

}  // namespace harness::simulate
