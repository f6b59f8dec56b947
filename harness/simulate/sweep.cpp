#include "harness/simulate/sweep.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/simulate/simulate.hpp"
#include "harness/simulate/simulate_text.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

namespace harness::simulate {
namespace {

constexpr int sweep_values = 8;

double sweep_end(std::string_view number, std::string_view text) {
  const auto value = parse_number<double>(number);
  if (!value || !(*value > 0) || !std::isfinite(*value))
    throw BadInput(fmt::format("--sweep {}: expected NAME=A..B with numbers above 0", text));
  return *value;
}

std::string setting_text(const Sweep& sweep, double value) { return fmt::format("{}={}", sweep.name, value); }

}  // namespace

Sweep parse_sweep(std::string_view text, const Gpu& gpu) {
  const auto equals = text.find('=');
  const auto dots = text.find("..");
  if (equals == std::string_view::npos || dots == std::string_view::npos || dots < equals)
    throw BadInput(fmt::format("--sweep {}: expected NAME=A..B", text));
  const auto low = sweep_end(text.substr(equals + 1, dots - equals - 1), text);
  const auto high = sweep_end(text.substr(dots + 2), text);
  if (high <= low) throw BadInput(fmt::format("--sweep {}: the second number must be above the first", text));
  Sweep sweep{std::string(text.substr(0, equals)), {}};
  const auto require = [&](double value) {
    auto changed = gpu;
    set_value(changed, setting_text(sweep, value), "--sweep");
  };
  require(low);
  require(high);
  for (int i = 0; i < sweep_values; ++i) {
    const auto value = low * std::pow(high / low, static_cast<double>(i) / (sweep_values - 1));
    const auto next = is_whole(sweep.name) ? std::round(value) : value;
    if (sweep.values.empty() || next > sweep.values.back()) sweep.values.push_back(next);
  }
  return sweep;
}

std::string sweep_table(const Recording& recording, const std::vector<Gpu>& gpus, const Sweep& sweep,
                        const Style& style) {
  std::vector<std::string> titles{"simulated on"};
  for (const auto value : sweep.values) titles.push_back(digits_text(value));
  RowTable table(titles, style);
  for (const auto& row : recording.rows) {
    const auto unchanged = simulate_row(row, gpus.front());
    table.add_name(row.row,
                   unchanged.reason.empty() ? unchanged.note : "cannot simulate: " + unchanged.reason);
    for (const auto& gpu : gpus) {
      std::vector<std::string> cells{gpu.title};
      for (const auto value : sweep.values) {
        auto changed = gpu;
        set_value(changed, setting_text(sweep, value));
        const auto simulated = simulate_row(row, changed);
        cells.push_back(simulated.reason.empty() ? percent_text(simulated.ratio()) : "-");
      }
      table.add(std::move(cells));
    }
  }
  return fmt::format("{}\n\nChange in percent at each {}; - stands where it cannot be simulated.\n{}",
                     simulated_warning, sweep.name, table.text());
}

}  // namespace harness::simulate
