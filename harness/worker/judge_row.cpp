#include "harness/worker/judge_row.hpp"

#include "harness/stats/median.hpp"
#include "harness/stats/slots.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace harness {
namespace {

double median_of(const Measurement& measured, Form form) {
  std::vector<double> seconds;
  for (const auto& sample : measured.samples)
    if (sample.form == form) seconds.push_back(sample.seconds);
  return seconds.empty() ? 0 : median(std::move(seconds));
}

std::vector<SlotTime> slot_times(const Measurement& measured) {
  std::vector<SlotTime> slots;
  for (const auto& sample : measured.samples)
    slots.push_back(
        {sample.round, sample.pair, sample.quad, sample.slot, sample.form == Form::naive, sample.seconds});
  return slots;
}

/// The share of the first rounds in which the driver lowered the device's clocks.
double throttled_share(const std::vector<Round>& rounds, std::size_t first) {
  const auto seen = std::span(rounds).first(std::min(first, rounds.size()));
  const auto throttled = std::ranges::count_if(
      seen, [](const Round& round) { return must_discard(round.disturbance.slowdowns.value_or(0)); });
  return seen.empty() ? 0 : static_cast<double>(throttled) / static_cast<double>(seen.size());
}

/// Empty where a round has one pair.
std::optional<VarianceSplit> split_of(std::span<const SlotTime> slots) {
  const auto pairs = pair_log_ratios(slots);
  const auto several = [](const std::vector<double>& round) { return round.size() > 1; };
  if (pairs.size() < 2 || !std::ranges::all_of(pairs, several)) return std::nullopt;
  return split_variance(pairs);
}

}  // namespace

void judge_row(Row& row, const Results& results) {
  const Rule rule{results.session.looks, results.session.alpha, row.delta};
  const auto rounds = counting_units(row.measured.log_ratios.size(), rule);
  row.rounds = static_cast<int>(rounds);
  const auto slots = slot_times(row.measured);
  UnitEvidence evidence{row.measured.log_ratios, carry_differences(slots)};
  if (row.device.is_cuda()) evidence.throttling.discarded = throttled_share(results.rounds, rounds);
  row.judged = judge(evidence, rule);
  row.variance = split_of(slots);
  row.naive_seconds = median_of(row.measured, Form::naive);
  row.optimized_seconds = median_of(row.measured, Form::optimized);
}

int pairs_from_here(const Row& row) {
  const auto& measured = row.measured;
  if (!row.variance || measured.setup_seconds.empty()) return measured.pairs;
  const auto rounds = static_cast<double>(measured.setup_seconds.size());
  const auto launch = std::accumulate(measured.setup_seconds.begin(), measured.setup_seconds.end(), 0.0);
  double slots = 0;  // with the run that warms each of them up
  for (const auto& sample : measured.samples)
    slots += sample.seconds * static_cast<double>(measured.iterations + 1);
  return best_pairs(*row.variance, launch / rounds, slots / rounds / measured.pairs);
}

}  // namespace harness
