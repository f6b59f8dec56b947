// The order in which slots run: quads ABBA or BAAB by coin, the sets of buffers swapped between the two quads
// of a unit. measuring.md 2.1; everything follows from one seed.
#pragma once

#include "harness/step.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

namespace harness {

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

/// The seed of one row: depends on the session's seed and the row's name, not on which other rows run.
std::uint64_t row_seed(std::uint64_t session_seed, std::string_view row_name);

/// One slot: which form runs on which set of buffers.
struct SlotPlan {
  Form form;
  std::size_t set;
  bool operator==(const SlotPlan&) const = default;
};
using QuadPlan = std::array<SlotPlan, 4>;
using UnitPlan = std::array<QuadPlan, 2>;  // a crossed pair of quads: the unit of replication

/// The next unit: each quad is ABBA or BAAB, and the second quad has the sets of the first one swapped.
UnitPlan plan_unit(Random& random);

/// Fisher-Yates; portable, unlike std::shuffle.
template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

}  // namespace harness
