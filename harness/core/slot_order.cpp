#include "harness/core/slot_order.hpp"

#include <limits>

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

}  // namespace harness::inline core
