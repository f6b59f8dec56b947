#include "harness/trace/intervals.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace harness::trace {

Intervals merged(std::vector<TimeSpan> list) {
  const auto earlier = [](const TimeSpan& a, const TimeSpan& b) { return a.begin < b.begin; };
  if (!std::is_sorted(list.begin(), list.end(), earlier)) std::sort(list.begin(), list.end(), earlier);
  Intervals set;
  set.reserve(list.size());
  for (const TimeSpan& next : list) {
    if (next.end <= next.begin) continue;
    if (set.empty() || next.begin > set.back().end) {
      set.push_back(next);
    } else {
      set.back().end = std::max(set.back().end, next.end);
    }
  }
  return set;
}

std::int64_t length(const Intervals& set) {
  std::int64_t sum = 0;
  for (const TimeSpan& interval : set) sum += interval.end - interval.begin;
  return sum;
}

Intervals intersection(const Intervals& left, const Intervals& right) {
  Intervals set;
  auto a = left.begin();
  auto b = right.begin();
  while (a != left.end() && b != right.end()) {
    const TimeSpan both{std::max(a->begin, b->begin), std::min(a->end, b->end)};
    if (both.begin < both.end) set.push_back(both);
    if (a->end < b->end) {
      ++a;
    } else {
      ++b;
    }
  }
  return set;
}

Coverage::Coverage(Intervals set) : set_(std::move(set)) {
  std::int64_t sum = 0;
  before_.reserve(set_.size());
  for (const TimeSpan& interval : set_) {
    before_.push_back(sum);
    sum += interval.end - interval.begin;
  }
}

std::int64_t Coverage::up_to(std::int64_t time) const {
  const auto later = [](std::int64_t value, const TimeSpan& interval) { return value < interval.begin; };
  const auto next = std::upper_bound(set_.begin(), set_.end(), time, later);
  if (next == set_.begin()) return 0;
  const auto last = static_cast<std::size_t>(next - set_.begin()) - 1;
  return before_[last] + std::min(time, set_[last].end) - set_[last].begin;
}

}  // namespace harness::trace
