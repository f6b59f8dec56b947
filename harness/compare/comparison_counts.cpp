#include "harness/compare/comparison.hpp"
#include "harness/core/counts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness::compare {
namespace {

/// Page faults are the allocator's and the kernel's as well as the form's: they are shown and fail nothing.
bool may_fail(const Figure& figure) { return is_count(figure) && figure.unit != faults_unit; }

}  // namespace

std::vector<CountIncrease> count_increases(const std::vector<Figure>& base,
                                           const std::vector<Figure>& current) {
  std::vector<CountIncrease> increases;
  for (const auto& after : current) {
    const auto before = std::ranges::find(base, after.name, &Figure::name);
    if (before == base.end() || before->unit != after.unit || !may_fail(*before) || !may_fail(after))
      continue;
    if (counts_more(after.unit, before->naive, after.naive))
      increases.push_back({after.name, "naive", after.unit, before->naive, after.naive});
    if (counts_more(after.unit, before->optimized, after.optimized))
      increases.push_back({after.name, "optimized", after.unit, before->optimized, after.optimized});
  }
  return increases;
}

std::optional<Figure> instructions_in_both(const std::vector<Figure>& base,
                                           const std::vector<Figure>& current) {
  const auto before = std::ranges::find(base, instructions_unit, &Figure::unit);
  const auto after = std::ranges::find(current, instructions_unit, &Figure::unit);
  if (before == base.end() || after == current.end() || before->optimized <= 0) return std::nullopt;
  return Figure{before->name, before->unit, before->optimized, after->optimized};
}

std::string instructions_word(const Figure& instructions) {
  if (counts_more(instructions_unit, instructions.naive, instructions.optimized)) return "more instructions";
  const bool fewer = counts_more(instructions_unit, instructions.optimized, instructions.naive);
  return fewer ? "fewer instructions" : "equal instructions";
}

std::vector<std::string> vanished_counts(const std::vector<Figure>& base,
                                         const std::vector<Figure>& current) {
  std::vector<std::string> names;
  for (const auto& before : base) {
    if (!may_fail(before)) continue;
    const auto after = std::ranges::find(current, before.name, &Figure::name);
    if (after == current.end())
      names.push_back(before.name);
    else if (after->unit != before.unit)
      names.push_back(fmt::format("{} (in {}, and now in {})", before.name, before.unit, after->unit));
    else if (!may_fail(*after))
      names.push_back(before.name + " (no whole number now)");
  }
  return names;
}

}  // namespace harness::compare
