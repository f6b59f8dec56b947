#include "harness/core/change_points.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace harness::inline core {
namespace {

using Span = std::span<const double>;

double mean(Span values) { return boost::math::statistics::mean(values.begin(), values.end()); }

/// Sum of |x - y| over all pairs of one side each.
double distances(Span a, Span b) {
  double sum = 0;
  for (const auto x : a)
    for (const auto y : b) sum += std::abs(x - y);
  return sum;
}

/// The split of the values that sets the two sides furthest apart (Matteson and James's energy statistic);
/// 0 where the values are too few for two levels.
std::size_t best_split(Span values, std::size_t segment) {
  if (values.size() < 2 * segment) return 0;
  std::size_t best = 0;
  double highest = -1;
  auto left = values.first(segment), right = values.subspan(segment);
  double within_left = distances(left, left) / 2, within_right = distances(right, right) / 2;
  double between = distances(left, right);
  for (auto split = segment;;) {
    const auto n = static_cast<double>(split), m = static_cast<double>(values.size() - split);
    const auto apart =
        2 * between / (n * m) - 2 * within_left / (n * (n - 1)) - 2 * within_right / (m * (m - 1));
    if (const auto q = n * m / (n + m) * apart; q > highest) {
      highest = q;
      best = split;
    }
    if (split + segment >= values.size()) return best;
    // The first value of the right side moves to the left one.
    const auto moved = values.subspan(split, 1);
    const auto to_left = distances(moved, values.first(split));
    const auto to_right = distances(moved, values.subspan(split + 1));
    within_left += to_left;
    within_right -= to_right;
    between += to_right - to_left;
    ++split;
  }
}

ChangePoint tested(Span before, Span after, std::size_t at) {
  return {at, mean(after) - mean(before), welch_p(before, after)};
}

bool counts(const ChangePoint& point, const ChangeRule& rule) {
  return point.p <= rule.p && std::abs(point.shift) >= rule.least_shift;
}

/// Splits, and splits the parts again, while the parts differ.
void divide(Span values, std::size_t offset, const ChangeRule& rule, std::set<std::size_t>& found) {
  const auto split = best_split(values, rule.segment);
  if (split == 0 || !counts(tested(values.first(split), values.subspan(split), split), rule)) return;
  found.insert(offset + split);
  divide(values.first(split), offset, rule, found);
  divide(values.subspan(split), offset + split, rule, found);
}

/// Each point tested between its neighbours.
std::vector<ChangePoint> tested_all(Span series, const std::set<std::size_t>& points) {
  std::vector<ChangePoint> all;
  std::vector<std::size_t> ends(points.begin(), points.end());
  ends.push_back(series.size());
  std::size_t begin = 0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const auto before = series.subspan(begin, ends[i] - begin);
    all.push_back(tested(before, series.subspan(ends[i], ends[i + 1] - ends[i]), ends[i]));
    begin = ends[i];
  }
  return all;
}

}  // namespace

double welch_p(Span a, Span b) {
  if (a.size() < 2 || b.size() < 2) return 1;
  namespace statistics = boost::math::statistics;
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  const auto va = statistics::sample_variance(a.begin(), a.end()) / n;
  const auto vb = statistics::sample_variance(b.begin(), b.end()) / m;
  const auto difference = std::abs(mean(a) - mean(b));
  const auto freedom = (va + vb) * (va + vb) / (va * va / (n - 1) + vb * vb / (m - 1));
  if (!(freedom > 0)) return difference > 0 ? 0 : 1;  // no scatter, or one whose squares no double holds
  const boost::math::students_t t(freedom);
  return 2 * boost::math::cdf(boost::math::complement(t, difference / std::sqrt(va + vb)));
}

std::vector<ChangePoint> change_points(Span series, const ChangeRule& rule) {
  std::set<std::size_t> found;
  for (std::size_t begin = 0;; begin += rule.window / 2) {  // windows overlap by half
    const auto end = std::min(begin + rule.window, series.size());
    divide(series.subspan(begin, end - begin), begin, rule, found);
    if (end == series.size()) break;
  }
  // Windows see one move at several places: the weakest goes until all that are left stand on their own.
  for (;;) {
    auto points = tested_all(series, found);
    const auto weakest = std::ranges::max_element(points, {}, &ChangePoint::p);
    const auto failing =
        std::ranges::find_if(points, [&](const ChangePoint& point) { return !counts(point, rule); });
    if (failing == points.end()) return points;
    found.erase(counts(*weakest, rule) ? failing->at : weakest->at);
  }
}

}  // namespace harness::inline core
