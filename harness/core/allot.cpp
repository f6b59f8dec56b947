#include "harness/core/allot.hpp"

#include "harness/core/median.hpp"

#include <boost/math/distributions/normal.hpp>

#include <cmath>
#include <limits>
#include <numeric>

namespace harness::inline core {
namespace {

constexpr double median_cost = 1.2533;  // a median's spread against a mean's

/// How far an end of the interval lies from the median, in standard deviations of a round.
double reach(int look, const Rule& rule, bool beside_processes) {
  if (look < rule.looks.front())
    return early_reach(look, beside_processes ? rule.alpha_beside_processes() : rule.alpha_early());
  const auto k = order_statistic(look, rule.alpha_look());
  if (k == 0) return std::numeric_limits<double>::infinity();
  return -boost::math::quantile(boost::math::normal(), k / (look + 1.0));
}

double below(double value, double centre, double spread) {
  if (spread <= 0) return value >= centre ? 1 : 0;
  return boost::math::cdf(boost::math::normal(centre, spread), value);
}

/// Where its processes would tell now if they were as many as at that look: the chance that no further one
/// lies beyond those ends of the commands' ranges on which it rests, two for a claim and four for no effect.
/// Each is the farthest of all with its share of them, whatever their noise.
double chance_by_processes(const OpenRow& row, const Rule& rule, int look) {
  if (!row.processes || look >= rule.looks.front()) return 0;
  const auto share = static_cast<double>(row.log_ratios.size()) / look;
  auto then = *row.processes;
  then.of_each = static_cast<int>(std::lround(then.of_each / share));
  const auto seen = process_interval(then, rule);
  const auto verdict = seen ? judge_interval(*seen, row.delta) : Verdict::inconclusive;
  if (verdict == Verdict::inconclusive) return 0;
  return std::pow(share, verdict == Verdict::no_effect ? 4 : 2);
}

}  // namespace

std::vector<int> looks_with_interval(std::vector<int> looks, double alpha) {
  while (order_statistic(looks.front(), Rule{.looks = looks, .alpha = alpha}.alpha_look()) == 0) {
    ++looks.front();
    if (looks.size() > 1 && looks[0] == looks[1]) looks.erase(looks.begin());
  }
  return looks;
}

double chance_at(const OpenRow& row, const Rule& rule, int look) {
  const auto n = static_cast<int>(row.log_ratios.size());
  if (n < 2 || look <= n) return 0;
  const auto centre = median({row.log_ratios.begin(), row.log_ratios.end()});
  const auto sd = robust_sd(row.log_ratios);
  const auto half = reach(look, rule, row.processes.has_value()) * sd;
  if (!std::isfinite(half) || !std::isfinite(centre)) return 0;
  const auto spread = median_cost * sd * std::sqrt(1.0 / n - 1.0 / look);
  const auto band = std::log1p(row.delta);
  const auto helps = below(-band - half, centre, spread);
  const auto hurts = 1 - below(band + half, centre, spread);
  const auto equal =
      half < band ? below(band - half, centre, spread) - below(half - band, centre, spread) : 0;
  return std::max(helps + hurts + equal, chance_by_processes(row, rule, look));
}

Outlook outlook(const OpenRow& row, const Rule& rule, double seconds, double least) {
  Outlook best;
  const auto n = static_cast<int>(row.log_ratios.size());
  for (const auto& looks : {rule.early, rule.looks})
    for (const auto look : looks) {
      const auto chance = chance_at(row, rule, look);
      const auto takes = row.seconds * (look - n);
      if (look <= n || chance < least || takes > seconds) continue;
      if (best.look == 0 || chance * best.seconds > best.chance * takes) best = {look, chance, takes};
    }
  return best;
}

std::vector<std::size_t> allot(std::span<const OpenRow> rows, const Rule& rule, double seconds, double start,
                               double least) {
  std::vector<Outlook> outlooks;
  for (const auto& row : rows) outlooks.push_back(outlook(row, rule, seconds, least));
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return outlooks[i].look == 0; });
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return outlooks[a].chance * outlooks[b].seconds > outlooks[b].chance * outlooks[a].seconds;
  });
  // Rounds that several rows share start once.
  std::vector<std::size_t> chosen;
  double used = 0;
  int longest = 0;
  for (const auto i : order) {
    const auto rounds_to = [&](int look) { return look - static_cast<int>(rows[i].log_ratios.size()); };
    auto look = outlooks[i].look;
    auto with = used + outlooks[i].seconds + start * std::max(0, rounds_to(look) - longest);
    if (with > seconds) {
      auto alone = rows[i];
      alone.seconds += start;
      const auto nearer = outlook(alone, rule, seconds - used, least);
      if (nearer.look == 0) continue;
      look = nearer.look;
      with = used + nearer.seconds;
    }
    used = with;
    longest = std::max(longest, rounds_to(look));
    chosen.push_back(i);
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace harness::inline core
