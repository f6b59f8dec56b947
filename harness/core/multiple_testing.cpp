#include "harness/core/multiple_testing.hpp"

#include "harness/core/early_look.hpp"
#include "harness/core/interval.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace harness::inline core {
namespace {

std::vector<std::size_t> rising(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  return order;
}

/// One list: the p-values of a claim, and who passes.
template <class PValue, class Mark>
void fill_list(std::vector<PairLists>& lists, const PValue& p_value, const Mark& mark) {
  std::vector<double> p_values;
  for (const auto& list : lists) p_values.push_back(p_value(list));
  const auto adjusted = benjamini_hochberg(p_values);
  for (std::size_t i = 0; i < lists.size(); ++i) mark(lists[i], adjusted[i] <= list_q);
}

}  // namespace

std::vector<double> holm(std::span<const double> p_values) {
  const auto order = rising(p_values);
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto left = static_cast<double>(order.size() - i);
    largest = std::max(largest, std::min(1.0, left * p_values[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p_values) {
  const auto order = rising(p_values);
  const auto m = static_cast<double>(order.size());
  std::vector<double> adjusted(p_values.size());
  double smallest = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    smallest = std::min(smallest, m / static_cast<double>(i + 1) * p_values[order[i]]);
    adjusted[order[i]] = smallest;
  }
  return adjusted;
}

int gate_units(int pairs, double alpha, int looks) {
  int units = 0;
  for (double smallest_p = 1; smallest_p * pairs * looks > alpha; smallest_p /= 2) ++units;
  return units;
}

std::string gate_refusal(int pairs, int units, double alpha, int looks) {
  const auto needed = gate_units(pairs, alpha, looks);
  if (units >= needed) return {};
  return "gating " + std::to_string(pairs) + " pairs takes at least " + std::to_string(needed) +
         " units each, and there are " + std::to_string(units) + "; no slowdown could ever fail the gate";
}

std::vector<PairLists> judge_family(std::span<const PairUnits> pairs) {
  std::vector<PairLists> lists;
  std::vector<double> gate;
  for (const auto& pair : pairs) {
    const auto band = std::log1p(pair.delta);
    const auto& units = pair.log_ratios;
    if (pair.early)
      lists.push_back({.p_hurts = p_plainly_above(units, band),
                       .p_helps = p_plainly_below(units, -band),
                       .p_equal = p_plainly_within(units, band)});
    else
      lists.push_back({.p_hurts = p_median_above(units, band),
                       .p_helps = p_median_below(units, -band),
                       .p_equal = p_median_within(units, band)});
    gate.push_back(p_median_above(units, std::log1p(pair.gate_delta)));
  }
  fill_list(lists, [](const PairLists& l) { return l.p_hurts; }, [](PairLists& l, bool in) { l.hurts = in; });
  fill_list(lists, [](const PairLists& l) { return l.p_helps; }, [](PairLists& l, bool in) { l.helps = in; });
  fill_list(lists, [](const PairLists& l) { return l.p_equal; }, [](PairLists& l, bool in) { l.equal = in; });
  const auto adjusted = holm(gate);
  for (std::size_t i = 0; i < lists.size(); ++i) lists[i].gate_p = adjusted[i];
  return lists;
}

}  // namespace harness::inline core
