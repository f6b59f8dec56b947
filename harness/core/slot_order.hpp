// The order in which slots run: ABBA and then BAAB, or the other way round, by coin; the sets of buffers are
// swapped between these two quads of a crossed pair. docs/measuring.md 3; everything follows from one seed.
#pragma once

#include "harness/core/step.hpp"

#include <random>
#include <utility>

namespace harness::inline core {

/// A seeded source of coins. The same on every standard library: only the engine's raw output is used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  bool coin() { return (engine_() >> 63) != 0; }
  /// Uniform in [0, n); n > 0.
  std::uint64_t below(std::uint64_t n);

 private:
  std::mt19937_64 engine_;
};

/// A seed derived from another and a name, of a row or of a round: what a row draws does not depend on which
/// others run.
std::uint64_t row_seed(std::uint64_t seed, std::string_view name);

/// One slot: which form runs on which set of buffers.
struct SlotPlan {
  Form form;
  std::size_t set;
  bool operator==(const SlotPlan&) const = default;
};
using QuadPlan = std::array<SlotPlan, 4>;
using PairPlan = std::array<QuadPlan, 2>;  // two quads, crossed

/// The next crossed pair: ABBA BAAB or BAAB ABBA, the second quad with the sets of the first one swapped. A
/// coin of its own for each quad would do for the ratios; one of each kind shows in every round what each
/// form suffers from following the other (stats/carry_over), and a drift that bends cancels as well.
PairPlan plan_pair(Random& random);

/// Fisher-Yates; portable, unlike std::shuffle.
template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

}  // namespace harness::inline core
