#include "harness/simulate/known_errors.hpp"

#include "harness/simulate/published_figures.hpp"
#include "harness/simulate/units.hpp"

#include <algorithm>
#include <string_view>

namespace harness::simulate {
namespace {

/// As published_figures.json calls it.
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

}  // namespace

void ErrorRange::take(double error) {
  lowest = figures == 0 ? error : std::min(lowest, error);
  highest = figures == 0 ? error : std::max(highest, error);
  ++figures;
}

ModelErrors known_errors() {
  ModelErrors errors;
  for (const auto& [figure, simulated, factor, line] : judge_figures(published_figures())) {
    if (figure.judges) continue;
    for (const auto kind : kinds)
      if (figure.kind == name_of(kind)) errors.kinds[kind].take(factor);
    for (const auto overlap : overlaps)
      if (const auto time = overlapped(line, overlap); figure.kind == name_of(overlap) && time > 0)
        errors.overlaps[overlap].take(seconds_of(figure, line) * (1 / factor - 1) / seconds(time));
  }
  return errors;
}

}  // namespace harness::simulate
