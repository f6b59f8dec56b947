#include "harness/run/judge_row.hpp"

#include "harness/core/canary.hpp"
#include "harness/core/counts.hpp"
#include "harness/core/disturbances.hpp"
#include "harness/core/gate.hpp"
#include "harness/core/median.hpp"
#include "harness/core/slot_order.hpp"

#include <iterator>

namespace harness::run {
namespace {

double median_of(const Measurement& measured, Form form) {
  std::vector<double> seconds;
  for (const auto& sample : measured.samples)
    if (sample.form == form) seconds.push_back(sample.seconds);
  return seconds.empty() ? 0 : median(std::move(seconds));
}

double share(std::ptrdiff_t part, std::ptrdiff_t of) {
  return of == 0 ? 0 : static_cast<double>(part) / static_cast<double>(of);
}

/// What the driver said of the clocks while the row's slots ran.
void add_clock_events(const Measurement& measured, Disturbances& seen) {
  std::map<std::pair<int, int>, bool> lowered;  // by round and pair
  std::map<Form, std::pair<int, int>> capped;   // slots under the power cap, of how many
  for (const auto& sample : measured.samples) {
    lowered[{sample.round, sample.pair}] |= must_discard(sample.clock_events);
    auto& [slots, of] = capped[sample.form];
    slots += power_capped(sample.clock_events) ? 1 : 0;
    ++of;
  }
  const auto kept = static_cast<std::ptrdiff_t>(lowered.size());
  const auto slow = std::ranges::count_if(lowered, [](const auto& pair) { return pair.second; });
  seen.discarded = share(slow + measured.discarded, kept + measured.discarded);
  seen.capped_naive = share(capped[Form::naive].first, capped[Form::naive].second);
  seen.capped_optimized = share(capped[Form::optimized].first, capped[Form::optimized].second);
}

/// A loss and a number of bytes are the same on a busy machine.
bool rests_on_clocks(const Measurement& measured) {
  if (measured.statistic != Statistic::figure || measured.figures.empty()) return true;
  constexpr std::string_view units_of_time[] = {"s", "ms", "us", "ns"};
  return std::ranges::find(units_of_time, measured.figures.front().unit) != std::end(units_of_time);
}

/// How far the row's log ratio moves with what the host's canary met.
std::optional<double> host_sway(const std::vector<results::Round>& rounds, std::span<const double> ratios) {
  std::vector<double> canaries, with_canary;
  for (std::size_t i = 0; i < std::min(rounds.size(), ratios.size()); ++i) {
    const auto& canary = rounds[i].disturbance.canary_seconds;
    if (canary.empty()) continue;
    canaries.push_back(median(canary));
    with_canary.push_back(ratios[i]);
  }
  return sway_of(canaries, with_canary);
}

/// Of a row on the host that its time judges, at the rounds that count.
std::optional<results::CpuTime> cpu_time(const results::Row& row, const Rule& rule) {
  const auto& measured = row.measured;
  if (row.device.is_cuda() || measured.statistic != Statistic::median) return std::nullopt;
  std::vector<double> ratios;
  for (auto& pairs : pair_log_ratios(measured.samples, &Sample::cpu_seconds))
    ratios.push_back(median(std::move(pairs)));
  if (ratios.empty() || ratios.size() != measured.log_ratios.size()) return std::nullopt;
  const auto judged = judge(ratios, rule);
  return results::CpuTime{judged.ratio, judged.ratio_interval, judged.verdict};
}

/// The count of the slots' page faults stands among the figures, as far as it is certain.
void note_page_faults(Measurement& measured) {
  std::erase_if(measured.figures, [](const Figure& figure) { return figure.unit == faults_unit; });
  if (auto faults = page_faults(measured)) measured.figures.push_back(std::move(*faults));
}

/// Of the rounds that have several pairs; empty below two of them.
std::optional<VarianceSplit> split_of(std::span<const Sample> slots) {
  auto pairs = pair_log_ratios(slots);
  std::erase_if(pairs, [](const std::vector<double>& round) { return round.size() < 2; });
  return pairs.size() < 2 ? std::nullopt : std::optional(split_variance(pairs));
}

/// Only what rests on counting rounds takes part.
bool takes_part(const results::Row& row) {
  return row.rounds > 0 && static_cast<std::size_t>(row.rounds) <= row.measured.log_ratios.size();
}

bool stands(Verdict verdict, const PairLists& lists) {
  if (verdict == Verdict::helps) return lists.helps;
  if (verdict == Verdict::hurts) return lists.hurts;
  return verdict == Verdict::no_effect && lists.equal;
}

}  // namespace

std::optional<Processes> processes_of(const results::Row& row, std::size_t rounds) {
  const auto& measured = row.measured;
  if (!results::is_of_commands(row.name)) return std::nullopt;
  std::map<Form, std::vector<double>> shown;
  for (const auto& sample : measured.samples)
    if (std::cmp_less(sample.round, rounds) && sample.seconds > 0)
      shown[sample.form].push_back(std::log(sample.seconds));
  const auto& naive = shown[Form::naive];
  const auto& optimized = shown[Form::optimized];
  if (naive.empty() || optimized.empty()) return std::nullopt;
  const auto range = [](const std::vector<double>& values) {
    const auto [least, most] = std::ranges::minmax(values);
    return Interval{least, most};
  };
  return Processes{
      .naive = range(naive),
      .optimized = range(optimized),
      .of_each = static_cast<int>(std::min(naive.size(), optimized.size())),
      .counted = !measured.figures.empty() && measured.figures.front().unit == instructions_unit};
}

void judge_row(results::Row& row, const results::Results& results) {
  const Rule rule{results.session.looks, results.session.alpha, row.delta, results.session.early};
  const auto rounds = counting_units(row.measured.log_ratios.size(), rule);
  row.rounds = static_cast<int>(rounds);
  UnitEvidence evidence{row.measured.log_ratios, carry_differences(row.measured.samples)};
  add_clock_events(row.measured, evidence.disturbances);
  if (rests_on_clocks(row.measured))
    results::add_canaries(results.rounds, rounds, row.device.is_cuda(), evidence.disturbances);
  if (!row.device.is_cuda())
    evidence.disturbances.sway = host_sway(results.rounds, std::span(row.measured.log_ratios).first(rounds));
  evidence.processes = processes_of(row, rounds);
  row.judged = judge(evidence, rule);
  row.cpu = cpu_time(row, rule);
  note_page_faults(row.measured);
  row.variance = split_of(row.measured.samples);
  row.naive_seconds = median_of(row.measured, Form::naive);
  row.optimized_seconds = median_of(row.measured, Form::optimized);
}

int pairs_from_here(const results::Row& row) {
  const auto& measured = row.measured;
  const auto& setups = measured.setup_seconds;
  if (!row.variance || setups.empty()) return measured.pairs;
  const auto launch = std::accumulate(setups.begin(), setups.end(), 0.0) / static_cast<double>(setups.size());
  double slots = 0;  // with the run that warms each of them up; a pair has 8
  for (const auto& sample : measured.samples)
    slots += sample.seconds * static_cast<double>(measured.runs_of(sample.form) + 1);
  return best_pairs(*row.variance, launch, 8 * slots / static_cast<double>(measured.samples.size()));
}

int pairs_by_share(const results::Row& round) {
  double timed = 0;
  for (const auto& sample : round.measured.samples)
    timed += sample.seconds * static_cast<double>(round.measured.runs_of(sample.form));
  if (timed <= 0 || round.measured.statistic == Statistic::figure) return 1;  // no clock, no pairs
  return static_cast<int>(std::lround(std::clamp(round.row_seconds / timed, 1.0, 8.0)));
}

void judge_together(std::span<results::Row> rows) {
  std::vector<results::Row*> family;
  std::vector<PairUnits> pairs;
  for (auto& row : rows) {
    row.confirmed = false;
    if (!takes_part(row)) continue;
    family.push_back(&row);
    const std::span<const double> ratios(row.measured.log_ratios);
    pairs.push_back({.log_ratios = ratios.first(static_cast<std::size_t>(row.rounds)),
                     .delta = row.delta,
                     .method = row.judged.method,
                     .processes = processes_of(row, static_cast<std::size_t>(row.rounds))});
  }
  const auto lists = judge_family(pairs);
  for (std::size_t i = 0; i < family.size(); ++i)
    family[i]->confirmed = stands(family[i]->judged.verdict, lists[i]);
}

}  // namespace harness::run
