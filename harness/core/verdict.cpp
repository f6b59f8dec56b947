#include "harness/core/verdict.hpp"

#include "harness/core/median.hpp"
#include "harness/core/variance.hpp"

#include <boost/math/distributions/normal.hpp>

#include <cmath>

namespace harness::inline core {
namespace {

constexpr std::array<std::pair<Verdict, std::string_view>, 7> names{{
    {Verdict::helps, "helps"},
    {Verdict::no_effect, "no_effect"},
    {Verdict::hurts, "hurts"},
    {Verdict::inconclusive, "inconclusive"},
    {Verdict::invalid, "invalid"},
    {Verdict::failed, "failed"},
    {Verdict::skipped, "skipped"},
}};

/// A median's spread; 1.2533 is what it costs against a mean's.
double spread_of(const Judgement& judged, std::size_t n) {
  return 1.2533 * judged.sd / std::sqrt(static_cast<double>(n));
}

/// delta + reach + z(0.95) spreads, where the interval reaches so far from the median.
double smallest_effect(double delta, double reach, double spread) {
  return delta + reach + boost::math::quantile(boost::math::normal(), 0.95) * spread;
}

/// z(1 - alpha/2) spreads; at an early look the interval reaches further.
double reach_of(const Judgement& judged, std::size_t n) {
  if (judged.early()) return early_reach(static_cast<int>(n), judged.alpha_look) * judged.sd;
  return boost::math::quantile(boost::math::normal(), 1 - judged.alpha_look / 2) * spread_of(judged, n);
}

/// Why an interval that straddles an edge of the band does so.
void add_sub_labels(const Interval& log_ratio, const Judgement& judged, double delta,
                    std::vector<std::string>& flags) {
  if (log_ratio.high < 0) flags.emplace_back("leaning faster");
  if (log_ratio.low > 0) flags.emplace_back("leaning slower");
  if (judged.sd > 1.5 * delta) flags.emplace_back("too noisy");
}

void add_shape_flags(std::span<const double> values, const Interval& log_ratio, const Judgement& judged,
                     double delta, std::vector<std::string>& flags) {
  if (bimodal(values, std::log1p(delta))) flags.emplace_back("bimodal");
  if (autocorrelated(values)) flags.emplace_back("autocorrelated");
  const auto half_width = (log_ratio.high - log_ratio.low) / 2;
  if (std::abs(std::log(judged.hodges_lehmann) - std::log(judged.ratio)) > half_width / 2)
    flags.emplace_back("asymmetric");
}

/// What speaks against the measurement itself. A disturbance takes away the verdicts that it could have made,
/// were all of it in the ratio: forms that differ twentyfold do so whatever ran before or beside them. Other
/// work on the host meets either form by coin, so that it widens the interval and moves no median; what
/// remains is that one form may bear it better, and then calm and busy rounds differ. Clocks that were
/// lowered have no such measure.
void add_faults(const Disturbances& seen, const Interval& log_ratio, double delta, Judgement& judged) {
  const auto made_by = [&](double most) {
    return judge_interval({log_ratio.low - most, log_ratio.high + most}, delta) != judged.verdict;
  };
  bool undermined = unstable(seen);
  if (matters(judged.carry, delta)) {
    judged.flags.emplace_back("carryover");
    const auto& carry = *judged.carry.interval;
    undermined |= made_by(std::max(std::abs(carry.low), std::abs(carry.high)));
  }
  if (throttled(seen)) judged.flags.emplace_back("throttled");
  if (unstable(seen) || unsteady(seen)) judged.flags.emplace_back("unstable machine");
  if (unsteady(seen)) undermined |= made_by(seen.sway.value_or(seen.off));
  if (power_imbalance(seen)) judged.flags.emplace_back("power-imbalance");
  if (undermined) judged.verdict = Verdict::inconclusive;
}

/// At an early look the rounds' range stands for the interval that so few rounds do not have.
CarryOver carry_over_early(std::span<const double> carries) {
  auto carry = carry_over(carries);
  if (carries.empty()) return carry;
  const auto [low, high] = std::ranges::minmax(carries);
  carry.interval = Interval{low, high};
  return carry;
}

/// Estimates that need no look to be complete.
void estimate(std::span<const double> values, const Rule& rule, Judgement& judged) {
  const auto n = static_cast<int>(values.size());
  judged.ratio = std::exp(median({values.begin(), values.end()}));
  judged.hodges_lehmann = std::exp(hodges_lehmann(values));
  judged.sd = robust_sd(values);
  judged.smallest_effect =
      smallest_effect(rule.delta, reach_of(judged, values.size()), spread_of(judged, values.size()));
  judged.alpha_actual =
      judged.early() ? judged.alpha_look : interval_error(n, order_statistic(n, judged.alpha_look));
}

/// True at an early look: too few rounds for any other.
bool at_early_look(std::size_t counting, const Rule& rule) {
  return std::ranges::find(rule.early, static_cast<int>(counting)) != rule.early.end();
}

/// Of a row that the widened range does not tell: its processes may, and their interval takes the place of
/// that range where they do, or where it is narrower.
void judge_processes(const UnitEvidence& evidence, std::size_t n, const Rule& rule, Interval& interval,
                     Judgement& judged) {
  if (!evidence.processes) return;
  const auto seen = process_interval(*evidence.processes, rule);
  if (!seen) return;
  judged.verdict = judge_interval(*seen, rule.delta);
  if (judged.verdict == Verdict::inconclusive && seen->high - seen->low >= interval.high - interval.low)
    return;
  interval = *seen;
  judged.method = CiMethod::mann_whitney;
  judged.alpha_look = rule.alpha_processes();
  judged.alpha_actual = process_error(evidence.processes->of_each);
  judged.smallest_effect =
      smallest_effect(rule.delta, (interval.high - interval.low) / 2, spread_of(judged, n));
}

/// "only 3 of 14 rounds".
void note_too_few(std::size_t rounds, const Rule& rule, Judgement& judged) {
  judged.too_few = !judged.early();
  judged.flags.push_back("only " + std::to_string(rounds) + " of " + std::to_string(rule.looks.front()) +
                         " rounds");
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  for (const auto& [value, name] : names)
    if (value == verdict) return name;
  return "?";
}

Verdict judge_interval(const Interval& log_ratio, double delta) {
  const auto band = std::log1p(delta);
  if (log_ratio.high < -band) return Verdict::helps;
  if (log_ratio.low > band) return Verdict::hurts;
  if (-band <= log_ratio.low && log_ratio.high <= band) return Verdict::no_effect;
  return Verdict::inconclusive;
}

std::size_t counting_units(std::size_t units, const Rule& rule) {
  auto counting = units;
  for (const auto& looks : {rule.early, rule.looks})
    for (const auto look : looks)
      if (static_cast<std::size_t>(look) <= units) counting = static_cast<std::size_t>(look);
  return counting;
}

Judgement judge(const UnitEvidence& evidence, const Rule& rule) {
  Judgement judged;
  judged.alpha_look = rule.alpha_look();
  judged.off = evidence.disturbances.off;
  if (evidence.log_ratios.empty()) {
    note_too_few(0, rule, judged);
    return judged;
  }
  const auto counting = counting_units(evidence.log_ratios.size(), rule);
  const auto values = std::span(evidence.log_ratios).first(counting);
  const auto carries = std::span(evidence.carries).first(std::min(counting, evidence.carries.size()));
  if (at_early_look(counting, rule)) {
    judged.method = CiMethod::widened_range;
    judged.alpha_look = evidence.processes ? rule.alpha_beside_processes() : rule.alpha_early();
  }
  estimate(values, rule, judged);
  judged.carry = judged.early() ? carry_over_early(carries) : carry_over(carries);
  auto interval =
      judged.early() ? widened_range(values, judged.alpha_look) : median_interval(values, judged.alpha_look);
  if (judged.early()) {
    judged.verdict = judge_early(values, *interval, rule, evidence.processes);
    if (judged.verdict == Verdict::inconclusive) judge_processes(evidence, counting, rule, *interval, judged);
  }
  if (interval) judged.ratio_interval = Interval{std::exp(interval->low), std::exp(interval->high)};
  const bool too_few = counting < static_cast<std::size_t>(rule.looks.front());
  if (!interval || (too_few && judged.verdict == Verdict::inconclusive)) {
    note_too_few(counting, rule, judged);
    return judged;
  }
  if (!judged.early()) judged.verdict = judge_interval(*interval, rule.delta);
  if (judged.verdict == Verdict::inconclusive) add_sub_labels(*interval, judged, rule.delta, judged.flags);
  add_shape_flags(values, *interval, judged, rule.delta, judged.flags);
  add_faults(evidence.disturbances, *interval, rule.delta, judged);
  return judged;
}

Judgement judge(std::span<const double> log_ratios, const Rule& rule) {
  return judge(UnitEvidence{{log_ratios.begin(), log_ratios.end()}}, rule);
}

namespace {

/// Of `n` values whose nearest lies `distance` beyond the threshold: 2^-n (1 + t)^(1 - n), where t lengths of
/// the range reach back to it.
double p_of_range(std::size_t n, double distance, double range) {
  if (n < 2 || distance <= 0) return 1;
  const auto one_side = std::ldexp(1.0, -static_cast<int>(n));
  return one_side * std::pow(range / (range + distance), static_cast<double>(n - 1));
}

}  // namespace

double widening(int n, double alpha) { return std::max(0.0, std::pow(alpha, -1.0 / (n - 1)) / 2 - 1); }

double early_reach(int n, double alpha) {
  constexpr std::array mean_range{1.128, 1.693, 2.059, 2.326,
                                  2.534, 2.704, 2.847, 2.970};  // of 2 to 9 values
  return (0.5 + widening(n, alpha)) * mean_range.at(static_cast<std::size_t>(n - 2));
}

std::optional<Interval> widened_range(std::span<const double> values, double alpha) {
  if (values.size() < 2) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(values);
  const auto added = widening(static_cast<int>(values.size()), alpha) * (high - low);
  return Interval{low - added, high + added};
}

Interval process_range(const Processes& seen) {
  return {seen.optimized.low - seen.naive.high, seen.optimized.high - seen.naive.low};
}

double process_error(int of_each) {
  double orders = 1;  // C(2n, n)
  for (int i = 1; i <= of_each; ++i) orders *= static_cast<double>(of_each + i) / i;
  return 2 / orders;
}

std::optional<Interval> process_interval(const Processes& seen, const Rule& rule) {
  constexpr double alike = 2;  // the wider range against the other
  const auto [less, more] =
      std::minmax({seen.naive.high - seen.naive.low, seen.optimized.high - seen.optimized.low});
  if (process_error(seen.of_each) > rule.alpha_processes() || more > alike * less) return std::nullopt;
  return process_range(seen);
}

int first_process_look(const Rule& rule, int of_each_in_round) {
  const auto found = std::ranges::find_if(
      rule.early, [&](int look) { return process_error(look * of_each_in_round) <= rule.alpha_processes(); });
  return found == rule.early.end() ? rule.looks.front() : *found;
}

bool counts_repeat(const Processes& seen, double beyond, double alpha) {
  const auto apart = std::max(seen.naive.high - seen.naive.low, seen.optimized.high - seen.optimized.low);
  const auto by_heaps = std::ldexp(2.0, -2 * seen.of_each);
  return seen.counted && apart < beyond && by_heaps <= alpha / 20;
}

Verdict judge_early(std::span<const double> log_ratios, const Interval& widened, const Rule& rule,
                    const std::optional<Processes>& processes) {
  const auto verdict = judge_interval(widened, rule.delta);
  if (verdict != Verdict::helps && verdict != Verdict::hurts) return verdict;
  const auto [low, high] = std::ranges::minmax(log_ratios);
  const auto nearest = verdict == Verdict::helps ? -high : low;
  const auto band = std::log1p(rule.delta);
  const bool plain =
      nearest > plain_bands * band || (processes && counts_repeat(*processes, nearest - band, rule.alpha));
  return plain ? verdict : Verdict::inconclusive;
}

double p_plainly_above(std::span<const double> values, double threshold) {
  if (values.empty()) return 1;
  const auto [low, high] = std::ranges::minmax(values);
  return p_of_range(values.size(), low - threshold, high - low);
}

double p_plainly_below(std::span<const double> values, double threshold) {
  if (values.empty()) return 1;
  const auto [low, high] = std::ranges::minmax(values);
  return p_of_range(values.size(), threshold - high, high - low);
}

double p_plainly_within(std::span<const double> values, double band) {
  return std::max(p_plainly_above(values, -band), p_plainly_below(values, band));
}

}  // namespace harness::inline core
