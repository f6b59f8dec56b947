#include "harness/simulate/bounds.hpp"

#include "harness/simulate/published.hpp"
#include "harness/simulate/timeline.hpp"
#include "harness/simulate/units.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace harness::simulate {
namespace {

/// The seconds of each form; behind them the ratio.
std::vector<double> numbers(const RowRecord& row, const Gpu& gpu, const Shift& shift) {
  std::vector<double> out;
  for (const auto& form : row.forms)
    out.push_back(seconds(play(schedule_of(form, gpu, shift), rules_of(gpu)).end));
  out.push_back(out.back() / out.front());
  return out;
}

/// As published.json calls it.
std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::host:
      return "launches";
    case Kind::product:
      return "products";
    case Kind::memory:
      return "memory-bound kernels";
    case Kind::pinned:
      return "pinned copies";
    case Kind::pageable:
      break;
  }
  return "pageable copies";
}

/// Squares of logarithms, upwards and downwards.
struct Spread {
  double up = 0;
  double down = 0;
};

}  // namespace

std::map<Kind, FactorRange> factor_ranges() {
  std::map<Kind, FactorRange> ranges;
  for (const auto& [figure, simulated, factor] : judge_figures(published_figures())) {
    if (figure.judges) continue;
    for (const auto kind : kinds) {
      if (figure.kind != kind_name(kind)) continue;
      auto& range = ranges[kind];
      range.lowest = range.figures == 0 ? factor : std::min(range.lowest, factor);
      range.highest = range.figures == 0 ? factor : std::max(range.highest, factor);
      ++range.figures;
    }
  }
  return ranges;
}

RowIntervals row_intervals(const RowRecord& row, const Gpu& gpu, const std::map<Kind, FactorRange>& ranges) {
  const auto middle = numbers(row, gpu, {});
  std::vector<Spread> spreads(middle.size());
  for (const auto& [kind, range] : ranges) {
    std::vector<Spread> farthest(middle.size());
    for (const auto factor : {range.lowest, range.highest}) {
      const auto shifted = numbers(row, gpu, {kind, 1 / factor});
      for (std::size_t i = 0; i < middle.size(); ++i) {
        const auto change = std::log(shifted[i] / middle[i]);
        farthest[i].up = std::max(farthest[i].up, change);
        farthest[i].down = std::max(farthest[i].down, -change);
      }
    }
    for (std::size_t i = 0; i < middle.size(); ++i) {
      spreads[i].up += farthest[i].up * farthest[i].up;
      spreads[i].down += farthest[i].down * farthest[i].down;
    }
  }
  RowIntervals intervals;
  for (std::size_t i = 0; i < middle.size(); ++i)
    intervals.forms.push_back(
        {middle[i] * std::exp(-std::sqrt(spreads[i].down)), middle[i] * std::exp(std::sqrt(spreads[i].up))});
  intervals.ratio = intervals.forms.back();
  intervals.forms.pop_back();
  return intervals;
}

}  // namespace harness::simulate
