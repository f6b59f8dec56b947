#include "prices/fit.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace prices {
namespace {

/// Sums over u = 1 / t and v = n / t: a u + c v should be 1 for every time.
struct Sums {
  double uu = 0, uv = 0, vv = 0, u = 0, v = 0;

  void add(const Timed& time) {
    const double one_u = 1 / time.seconds;
    const double one_v = time.bytes / time.seconds;
    uu += one_u * one_u;
    uv += one_u * one_v;
    vv += one_v * one_v;
    u += one_u;
    v += one_v;
  }
};

Line solve(const Sums& s) {
  const double determinant = s.uu * s.vv - s.uv * s.uv;
  const double start = (s.u * s.vv - s.v * s.uv) / determinant;
  const double per_byte = (s.v * s.uu - s.u * s.uv) / determinant;
  if (start < 0) return {.start = 0, .per_byte = s.v / s.vv};
  if (per_byte < 0) return {.start = s.u / s.uu, .per_byte = 0};
  return {.start = start, .per_byte = per_byte};
}

bool usable(const Timed& time) { return time.bytes > 0 && time.seconds > 0; }

}  // namespace

std::optional<Line> fit(std::span<const Timed> times) {
  Sums sums;
  std::set<double> sizes;
  for (const auto& time : times) {
    if (!usable(time)) continue;
    sums.add(time);
    sizes.insert(time.bytes);
  }
  if (sizes.size() < 3) return std::nullopt;  // through two points there is always a line
  auto line = solve(sums);
  for (const auto& time : times)
    if (usable(time))
      line.worst = std::max(line.worst, std::abs(line.at(time.bytes) - time.seconds) / time.seconds);
  return line;
}

std::optional<double> batching_pays(std::span<const Timed> times) {
  const auto rate = [](const Timed& time) { return time.bytes / time.seconds; };
  std::optional<double> up_to;
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    const auto best = rate(std::ranges::max(times.subspan(i + 1), {}, rate));
    if (2 * rate(times[i]) >= best) break;
    up_to = times[i].bytes;
  }
  return up_to;
}

}  // namespace prices
