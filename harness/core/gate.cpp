#include "harness/core/gate.hpp"

#include "harness/core/error_rates.hpp"
#include "harness/core/interval.hpp"
#include "harness/core/multiple_testing.hpp"
#include "harness/core/setup.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace harness::inline core
