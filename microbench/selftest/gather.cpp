// Reads at random places of a table that fits a cache, and of one that fits none.
#include "harness/core/slot_order.hpp"

#include "microbench/selftest/pairs.hpp"

namespace microbench::selftest_gather {

using namespace harness;

constexpr Axis axes[] = {
    {.name = "table", .about = "bytes of the table", .values = {256 << 10, 64 << 20}, .unit = Unit::bytes}};
constexpr std::size_t reads = 100'000;

struct State {
  std::vector<float> table;
  std::vector<std::uint32_t> places;
  float sum = -1;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>();
  s->table.assign(static_cast<std::size_t>(point["table"]) / sizeof(float), 1.5F);
  Random random(row_seed(setup.seed, "gather"));
  for (std::size_t i = 0; i < reads; ++i)
    s->places.push_back(static_cast<std::uint32_t>(random.below(s->table.size())));
  return equal_forms(
      [s] {
        float sum = 0;
        for (const auto place : s->places) sum += s->table[place];
        s->sum = sum;
      },
      [s] { s->sum = -1; }, [s] { return std::vector{s->sum}; });
}

extern constexpr EqualPair pair{.id = "selftest/gather", .axes = axes, .prepare = prepare};

}  // namespace microbench::selftest_gather
