#include "harness/core/slot_order.hpp"

#include "harness/core/median.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace harness::inline core {
namespace {

QuadPlan plan_quad(bool naive_first, std::size_t naive_set) {
  const SlotPlan naive{Form::naive, naive_set};
  const SlotPlan optimized{Form::optimized, 1 - naive_set};
  const auto& outer = naive_first ? naive : optimized;
  const auto& inner = naive_first ? optimized : naive;
  return {outer, inner, inner, outer};
}

}  // namespace

std::uint64_t Random::below(std::uint64_t n) {
  // Rejects the incomplete last block of n, so that every value is equally likely.
  constexpr auto top = std::numeric_limits<std::uint64_t>::max();
  const auto limit = top - top % n;
  auto value = engine_();
  while (value >= limit) value = engine_();
  return value % n;
}

std::uint64_t row_seed(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ seed;  // FNV-1a, then the finalizer of splitmix64
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

PairPlan plan_pair(Random& random) {
  const std::size_t naive_set = random.coin() ? 1 : 0;
  const bool naive_first = random.coin();
  return {plan_quad(naive_first, naive_set), plan_quad(!naive_first, 1 - naive_set)};
}

namespace {

/// One quad: its slots in the order of time, and its d = (ln B1 + ln B2 - ln A1 - ln A2) / 2.
struct Quad {
  std::array<double, 4> seconds{};
  int slots = 0;
  double d = 0;
  bool naive_inside = false;
};
using Quads = std::map<std::tuple<int, int, int>, Quad>;  // by unit, pair, quad

Quads quads_of(std::span<const Sample> slots, double Sample::* member) {
  Quads quads;
  for (const auto& slot : slots) {
    const auto seconds = slot.*member;
    if (!(seconds > 0) || slot.slot < 0 || slot.slot > 3) continue;
    const bool naive = slot.form == Form::naive;
    auto& quad = quads[{slot.round, slot.pair, slot.quad}];
    quad.seconds[static_cast<std::size_t>(slot.slot)] = seconds;
    quad.d += (naive ? -0.5 : 0.5) * std::log(seconds);
    if (slot.slot == 1) quad.naive_inside = naive;
    ++quad.slots;
  }
  std::erase_if(quads, [](const auto& entry) { return entry.second.slots != 4; });
  return quads;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double quad_carry(const std::array<double, 4>& seconds) {
  // Positions 1 and 4 are the outer form, 2 and 3 the inner one. A steady drift of g a slot adds 3/4 g
  // through the inner pair and takes it away through the outer one.
  const auto inner = std::log(seconds[2]) - std::log(seconds[1]);
  const auto outer = std::log(seconds[3]) - std::log(seconds[0]);
  return outer / 4 - 3 * inner / 4;
}

CarryOver carry_over(std::span<const double> carry_differences) {
  if (carry_differences.empty()) return {};
  return {median({carry_differences.begin(), carry_differences.end()}),
          median_interval(carry_differences, 0.05)};
}

bool matters(const CarryOver& carry, double delta) {
  if (!carry.interval) return false;
  const bool excludes_zero = carry.interval->low > 0 || carry.interval->high < 0;
  return excludes_zero && std::abs(carry.estimate) > std::log1p(delta) / 2;
}

std::vector<double> carry_differences(std::span<const Sample> slots) {
  struct PerUnit {
    std::vector<double> naive, optimized;
  };
  std::map<int, PerUnit> units;
  for (const auto& [key, quad] : quads_of(slots, &Sample::seconds)) {
    auto& unit = units[std::get<0>(key)];
    (quad.naive_inside ? unit.naive : unit.optimized).push_back(quad_carry(quad.seconds));
  }
  std::vector<double> all;
  for (const auto& [number, unit] : units)
    if (!unit.naive.empty() && !unit.optimized.empty())
      all.push_back(mean(unit.optimized) - mean(unit.naive));
  return all;
}

std::vector<std::vector<double>> pair_log_ratios(std::span<const Sample> slots, double Sample::* seconds) {
  std::map<std::pair<int, int>, std::vector<double>> pairs;
  for (const auto& [key, quad] : quads_of(slots, seconds))
    pairs[{std::get<0>(key), std::get<1>(key)}].push_back(quad.d);
  std::map<int, std::vector<double>> units;
  for (const auto& [key, quads] : pairs)
    if (quads.size() == 2) units[key.first].push_back((quads[0] + quads[1]) / 2);
  std::vector<std::vector<double>> all;
  for (auto& [unit, ratios] : units) all.push_back(std::move(ratios));
  return all;
}

}  // namespace harness::inline core
