// Sets of time: unions, intersections, how much of a window is covered.
#pragma once

#include <cstdint>
#include <vector>

namespace harness::trace {

/// [begin, end) in nanoseconds.
struct TimeSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// Disjoint intervals by time, each longer than 0: the union of what is given.
using Intervals = std::vector<TimeSpan>;
Intervals merged(std::vector<TimeSpan> list);

std::int64_t length(const Intervals& set);
Intervals intersection(const Intervals& left, const Intervals& right);

/// Asked how much of a window a set covers, in logarithmic time.
class Coverage {
 public:
  explicit Coverage(Intervals set);
  std::int64_t within(std::int64_t begin, std::int64_t end) const {
    return begin < end ? up_to(end) - up_to(begin) : 0;
  }

 private:
  std::int64_t up_to(std::int64_t time) const;

  Intervals set_;
  std::vector<std::int64_t> before_;  // length of all intervals before this one
};

}  // namespace harness::trace
