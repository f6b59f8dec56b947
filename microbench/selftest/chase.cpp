// A chain of reads each of which needs the one before it: the latency of a cache, and of memory.
#include "harness/core/slot_order.hpp"

#include "microbench/selftest/pairs.hpp"

#include <numeric>

namespace microbench::selftest_chase {

using namespace harness;

constexpr Axis axes[] = {{.name = "table",
                          .about = "bytes of the chain",
                          .values = {16 << 10, 256 << 10, 4 << 20},
                          .unit = Unit::bytes}};
constexpr int links = 50'000;

struct State {
  std::vector<std::uint32_t> next;
  std::uint32_t at = 0;
};

/// One cycle through all places in random order (Sattolo).
std::vector<std::uint32_t> cycle(std::size_t places, std::uint64_t seed) {
  std::vector<std::uint32_t> next(places);
  std::iota(next.begin(), next.end(), 0U);
  Random random(seed);
  for (std::size_t i = places - 1; i > 0; --i) std::swap(next[i], next[random.below(i)]);
  return next;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>();
  s->next =
      cycle(static_cast<std::size_t>(point["table"]) / sizeof(std::uint32_t), row_seed(setup.seed, "chase"));
  return equal_forms(
      [s] {
        std::uint32_t at = 0;
        for (int i = 0; i < links; ++i) at = s->next[at];
        s->at = at;
      },
      [s] { s->at = ~0U; }, [s] { return std::vector{static_cast<float>(s->at)}; });
}

extern constexpr EqualPair pair{.id = "selftest/chase", .axes = axes, .prepare = prepare};

}  // namespace microbench::selftest_chase
