// The order in which slots run: ABBA and then BAAB, or the other way round, by coin; the sets of buffers are
// swapped between. And what the timed slots of a row say beside its ratios: does a slot depend on the one
// before, does noise grow within a round.
#pragma once

#include "harness/core/interval.hpp"
#include "harness/core/measurement.hpp"

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

/// How much slower, in ln(time), the slots of one quad are that follow the other form (second and fourth)
/// than the one that follows its own (third). Each form's own level is taken off, and a steady drift cancels.
/// It is the inner form's three times out of four.
double quad_carry(const std::array<double, 4>& seconds);

/// The carry-over of the optimized form less that of the naive one, over the units of a row.
/// What both suffer alike (finding the caches full of the other set's buffers, say) is in both forms' times
/// equally often and cancels in their ratio; measured with copies of 64 MiB, it is 2 %.
struct CarryOver {
  double estimate = 0;               // ln(time); median over the units
  std::optional<Interval> interval;  // 95 %; empty below six units
};
CarryOver carry_over(std::span<const double> carry_differences);

/// True if the interval excludes 0 and the effect is larger than half the smallest change of interest.
bool matters(const CarryOver& carry, double delta);

/// For each unit, in order, the mean quad_carry of its quads with the optimized form inside less that of
/// those with the naive one inside. Quads that lack a slot are left out, and units without a quad of each
/// kind.
std::vector<double> carry_differences(std::span<const Sample> slots);

/// For each unit, in order, the log ratios of its crossed pairs: what split_variance wants.
std::vector<std::vector<double>> pair_log_ratios(std::span<const Sample> slots,
                                                 double Sample::* seconds = &Sample::seconds);

}  // namespace harness::inline core
