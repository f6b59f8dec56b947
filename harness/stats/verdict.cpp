#include "harness/stats/verdict.hpp"

#include "harness/setup.hpp"
#include "harness/stats/median.hpp"

#include <boost/math/distributions/normal.hpp>

#include <array>
#include <cmath>
#include <utility>

namespace harness {
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

/// delta + (z(1 - alpha/2) + z(0.95)) x 1.2533 sd / sqrt(n); 1.2533 is what a median's spread costs against a
/// mean's.
double smallest_effect(double delta, double alpha, double sd, std::size_t n) {
  const boost::math::normal normal;
  const auto z = boost::math::quantile(normal, 1 - alpha / 2) + boost::math::quantile(normal, 0.95);
  return delta + z * 1.2533 * sd / std::sqrt(static_cast<double>(n));
}

std::vector<std::string> flags_of(const Interval& log_ratio, const Judgement& judged, double delta) {
  std::vector<std::string> flags;
  if (judged.verdict == Verdict::inconclusive) {
    if (log_ratio.high < 0) flags.emplace_back("leaning faster");
    if (log_ratio.low > 0) flags.emplace_back("leaning slower");
    if (judged.sd > 1.5 * delta) flags.emplace_back("too noisy");
  }
  const auto half_width = (log_ratio.high - log_ratio.low) / 2;
  if (std::abs(std::log(judged.hodges_lehmann) - std::log(judged.ratio)) > half_width / 2)
    flags.emplace_back("asymmetric");
  return flags;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  for (const auto& [value, name] : names)
    if (value == verdict) return name;
  return "?";
}

Verdict verdict_from(std::string_view text) {
  for (const auto& [value, name] : names)
    if (name == text) return value;
  throw BadInput("'" + std::string(text) + "' is no verdict");
}

Verdict judge_interval(const Interval& log_ratio, double delta) {
  const auto band = std::log1p(delta);
  if (log_ratio.high < -band) return Verdict::helps;
  if (log_ratio.low > band) return Verdict::hurts;
  if (-band <= log_ratio.low && log_ratio.high <= band) return Verdict::no_effect;
  return Verdict::inconclusive;
}

Judgement judge(std::span<const double> log_ratios, const Rule& rule) {
  Judgement judged;
  judged.alpha_look = rule.alpha_look();
  if (log_ratios.empty()) {
    judged.flags.emplace_back("no units");
    return judged;
  }
  const auto n = static_cast<int>(log_ratios.size());
  judged.ratio = std::exp(median({log_ratios.begin(), log_ratios.end()}));
  judged.hodges_lehmann = std::exp(hodges_lehmann(log_ratios));
  judged.sd = robust_sd(log_ratios);
  judged.smallest_effect = smallest_effect(rule.delta, judged.alpha_look, judged.sd, log_ratios.size());
  judged.alpha_actual = interval_error(n, order_statistic(n, judged.alpha_look));
  const auto interval = median_interval(log_ratios, judged.alpha_look);
  if (interval) judged.ratio_interval = Interval{std::exp(interval->low), std::exp(interval->high)};
  if (!interval || n < rule.looks.front()) {
    judged.flags.push_back("only " + std::to_string(n) + " of " + std::to_string(rule.looks.front()) +
                           " units");
    return judged;
  }
  judged.verdict = judge_interval(*interval, rule.delta);
  judged.flags = flags_of(*interval, judged, rule.delta);
  return judged;
}

}  // namespace harness
