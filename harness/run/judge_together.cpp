#include "harness/run/judge_together.hpp"

#include "harness/core/many.hpp"

#include <algorithm>
#include <vector>

namespace harness::run {
namespace {

/// Only what rests on counting rounds takes part.
bool takes_part(const results::Row& row) {
  return row.rounds > 0 && static_cast<std::size_t>(row.rounds) <= row.measured.log_ratios.size();
}

bool stands(Verdict verdict, const PairLists& lists) {
  switch (verdict) {
    case Verdict::helps:
      return lists.helps;
    case Verdict::hurts:
      return lists.hurts;
    case Verdict::no_effect:
      return lists.equal;
    default:
      return false;
  }
}

}  // namespace

void judge_together(std::span<results::Row> rows) {
  std::vector<results::Row*> family;
  std::vector<PairUnits> pairs;
  for (auto& row : rows) {
    row.confirmed = false;
    if (!takes_part(row)) continue;
    family.push_back(&row);
    const std::span<const double> ratios(row.measured.log_ratios);
    pairs.push_back({.log_ratios = ratios.first(static_cast<std::size_t>(row.rounds)), .delta = row.delta});
  }
  const auto lists = judge_family(pairs);
  for (std::size_t i = 0; i < family.size(); ++i)
    family[i]->confirmed = stands(family[i]->judged.verdict, lists[i]);
}

}  // namespace harness::run
