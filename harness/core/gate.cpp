#include "harness/core/gate.hpp"

#include "harness/core/error_rates.hpp"
#include "harness/core/interval.hpp"
#include "harness/core/setup.hpp"

#include <cmath>
#include <numeric>

namespace harness::inline core {
namespace {

GateResult row_of(const GatedPair& pair, const Rule& rule) {
  const auto margin = calibrated_margin(pair.event ? event_gate_delta : wall_gate_delta, pair.nu);
  auto own = rule;
  own.delta = margin;
  return {.name = pair.name,
          .judged = judge(pair.log_ratios, own),
          .margin = margin,
          .withdrawn = pair.withdrawn};
}

}  // namespace

std::optional<int> first_gating_look(const Rule& rule, int gated_pairs) {
  const auto needed = gate_units(gated_pairs, rule.alpha, static_cast<int>(rule.looks.size()));
  const auto found = std::ranges::find_if(rule.looks, [&](int look) { return look >= needed; });
  return found == rule.looks.end() ? std::nullopt : std::optional(*found);
}

std::vector<GateResult> gate(std::span<const GatedPair> pairs, const Rule& rule) {
  std::vector<GateResult> rows;
  std::vector<double> p_values;
  for (const auto& pair : pairs) {
    rows.push_back(row_of(pair, rule));
    const auto counting = counting_units(pair.log_ratios.size(), rule);
    p_values.push_back(
        p_median_above(std::span(pair.log_ratios).first(counting), std::log1p(rows.back().margin)));
  }
  const auto gated = static_cast<int>(p_values.size());
  if (!first_gating_look(rule, gated))
    throw BadInput(gate_refusal(gated, rule.looks.back(), rule.alpha, static_cast<int>(rule.looks.size())));
  const auto adjusted = holm(p_values);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].p = adjusted[i];
    rows[i].regressed = rows[i].p <= rule.alpha_look() && !rows[i].withdrawn;
  }
  return rows;
}

std::vector<std::string> confirmed(std::span<const GateResult> first, std::span<const GateResult> repeated) {
  std::vector<std::string> names;
  for (const auto& row : first) {
    const auto again = std::ranges::find(repeated, row.name, &GateResult::name);
    const bool seen = row.regressed && again != repeated.end() && !again->withdrawn &&
                      again->judged.ratio_interval.has_value();
    if (seen && again->judged.ratio_interval->low > 1 + row.margin) names.push_back(row.name);
  }
  return names;
}

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

namespace {

/// By the rule that has made the interval, so that p-value, interval and verdict agree.
PairLists p_values_of(const PairUnits& pair) {
  const auto band = std::log1p(pair.delta);
  const auto& units = pair.log_ratios;
  if (pair.method == CiMethod::widened_range)
    return {.p_hurts = p_plainly_above(units, band),
            .p_helps = p_plainly_below(units, -band),
            .p_equal = p_plainly_within(units, band)};
  if (pair.method == CiMethod::mann_whitney && pair.processes) {
    const auto verdict = judge_interval(process_range(*pair.processes), pair.delta);
    const auto p = [&](Verdict claim) {
      return verdict == claim ? process_error(pair.processes->of_each) / 2 : 1;
    };
    return {.p_hurts = p(Verdict::hurts), .p_helps = p(Verdict::helps), .p_equal = p(Verdict::no_effect)};
  }
  return {.p_hurts = p_median_above(units, band),
          .p_helps = p_median_below(units, -band),
          .p_equal = p_median_within(units, band)};
}

}  // namespace

std::vector<PairLists> judge_family(std::span<const PairUnits> pairs) {
  std::vector<PairLists> lists;
  std::vector<double> gate;
  for (const auto& pair : pairs) {
    lists.push_back(p_values_of(pair));
    gate.push_back(p_median_above(pair.log_ratios, std::log1p(pair.gate_delta)));
  }
  fill_list(lists, [](const PairLists& l) { return l.p_hurts; }, [](PairLists& l, bool in) { l.hurts = in; });
  fill_list(lists, [](const PairLists& l) { return l.p_helps; }, [](PairLists& l, bool in) { l.helps = in; });
  fill_list(lists, [](const PairLists& l) { return l.p_equal; }, [](PairLists& l, bool in) { l.equal = in; });
  const auto adjusted = holm(gate);
  for (std::size_t i = 0; i < lists.size(); ++i) lists[i].gate_p = adjusted[i];
  return lists;
}

}  // namespace harness::inline core
