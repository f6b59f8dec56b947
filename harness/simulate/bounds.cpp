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
using Numbers = std::vector<double>;

Numbers with_ratio(Numbers seconds) {
  seconds.push_back(seconds.back() / seconds.front());
  return seconds;
}

std::vector<Timeline> lines_of(const RowRecord& row, const Gpu& gpu, const Shift& shift) {
  std::vector<Timeline> lines;
  for (const auto& form : row.forms) lines.push_back(play(schedule_of(form, gpu, shift), rules_of(gpu)));
  return lines;
}

/// `lost` seconds more for each second that overlaps.
Numbers numbers(const std::vector<Timeline>& lines, Overlap overlap = {}, double lost = 0) {
  Numbers out;
  for (const auto& line : lines)
    out.push_back(seconds(line.end) + (lost == 0 ? 0 : lost * seconds(overlapped(line, overlap))));
  return with_ratio(std::move(out));
}

/// As published.json calls it.
std::string_view name_of(Kind kind) {
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

std::string_view name_of(Overlap overlap) {
  return overlap == Overlap::both_ways ? "copies both ways" : "chunked copies";
}

void add_factor(ModelErrors& errors, Kind kind, double factor) {
  auto& range = errors.kinds[kind];
  range.lowest = range.figures == 0 ? factor : std::min(range.lowest, factor);
  range.highest = range.figures == 0 ? factor : std::max(range.highest, factor);
  ++range.figures;
}

void add_lost(ModelErrors& errors, Overlap overlap, double lost) {
  auto& range = errors.overlaps[overlap];
  range.least = range.figures == 0 ? lost : std::min(range.least, lost);
  range.most = range.figures == 0 ? lost : std::max(range.most, lost);
  ++range.figures;
}

/// What shifts of one source do, as logarithms: the farthest upwards and downwards of each number.
class Farthest {
 public:
  explicit Farthest(const Numbers& middle) : middle_(middle), up_(middle.size()), down_(middle.size()) {}

  void see(const Numbers& shifted) {
    for (std::size_t i = 0; i < middle_.size(); ++i) {
      const auto change = std::log(shifted[i] / middle_[i]);
      up_[i] = std::max(up_[i], change);
      down_[i] = std::max(down_[i], -change);
    }
  }
  double up(std::size_t i) const { return up_[i]; }
  double down(std::size_t i) const { return down_[i]; }

 private:
  const Numbers& middle_;
  Numbers up_, down_;
};

/// Sums of squares of logarithms: independent errors.
class Spread {
 public:
  explicit Spread(const Numbers& middle) : middle_(middle), up_(middle.size()), down_(middle.size()) {}

  void add(const Farthest& one) {
    for (std::size_t i = 0; i < middle_.size(); ++i) {
      up_[i] += one.up(i) * one.up(i);
      down_[i] += one.down(i) * one.down(i);
    }
  }
  Interval interval(std::size_t i) const {
    return {middle_[i] * std::exp(-std::sqrt(down_[i])), middle_[i] * std::exp(std::sqrt(up_[i]))};
  }

 private:
  const Numbers& middle_;
  Numbers up_, down_;
};

}  // namespace

ModelErrors known_errors() {
  ModelErrors errors;
  for (const auto& [figure, simulated, factor, line] : judge_figures(published_figures())) {
    if (figure.judges) continue;
    for (const auto kind : kinds)
      if (figure.kind == name_of(kind)) add_factor(errors, kind, factor);
    for (const auto overlap : overlaps)
      if (const auto time = overlapped(line, overlap); figure.kind == name_of(overlap) && time > 0)
        add_lost(errors, overlap, seconds_of(figure, line) * (1 / factor - 1) / seconds(time));
  }
  return errors;
}

RowIntervals row_intervals(const RowRecord& row, const Gpu& gpu, const ModelErrors& errors) {
  const auto lines = lines_of(row, gpu, {});
  const auto middle = numbers(lines);
  Spread spread(middle);
  for (const auto& [kind, range] : errors.kinds) {
    Farthest farthest(middle);
    for (const auto factor : {range.lowest, range.highest})
      farthest.see(numbers(lines_of(row, gpu, {kind, 1 / factor})));
    spread.add(farthest);
  }
  for (const auto& [overlap, range] : errors.overlaps) {
    Farthest farthest(middle);
    for (const auto lost : {range.least, range.most}) farthest.see(numbers(lines, overlap, lost));
    spread.add(farthest);
  }
  RowIntervals intervals;
  for (std::size_t i = 0; i < lines.size(); ++i) intervals.forms.push_back(spread.interval(i));
  intervals.ratio = spread.interval(lines.size());
  return intervals;
}

}  // namespace harness::simulate
