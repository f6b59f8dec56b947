// What the published figures that may be looked at say of the model's errors.
#include "harness/simulate/bounds.hpp"
#include "harness/simulate/published.hpp"
#include "harness/simulate/units.hpp"

#include <algorithm>
#include <string_view>

namespace harness::simulate {
namespace {

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

}  // namespace harness::simulate
