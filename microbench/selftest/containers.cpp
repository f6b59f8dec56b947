// Sorting numbers, and looking them up in a hash table.
#include "harness/core/slot_order.hpp"

#include "microbench/selftest/pairs.hpp"

#include <unordered_map>

namespace microbench::selftest_containers {

using namespace harness;

constexpr Axis axes[] = {{.name = "op",
                          .about = "sort: 20,000 numbers; lookup: 20,000 keys of a hash table",
                          .labels = {"sort", "lookup"}}};
constexpr std::size_t numbers = 20'000;

struct State {
  std::vector<std::uint32_t> keys, sorted;
  std::unordered_map<std::uint32_t, std::uint32_t> table;
  float seen = -1;
};

void sort(State& state) {
  state.sorted = state.keys;
  std::ranges::sort(state.sorted);
  state.seen = static_cast<float>(state.sorted[numbers / 2]);
}

void look_up(State& state) {
  std::uint32_t sum = 0;
  for (const auto key : state.keys) sum += state.table.find(key)->second;
  state.seen = static_cast<float>(sum);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>();
  Random random(row_seed(setup.seed, "containers"));
  for (std::size_t i = 0; i < numbers; ++i)
    s->keys.push_back(static_cast<std::uint32_t>(random.below(std::uint64_t{1} << 32)));
  for (const auto key : s->keys) s->table[key] = key >> 16;
  const bool sorts = point["op"] == 0;
  return equal_forms([s, sorts] { sorts ? sort(*s) : look_up(*s); }, [s] { s->seen = -1; },
                     [s] { return std::vector{s->seen}; });
}

extern constexpr EqualPair pair{.id = "selftest/containers", .axes = axes, .prepare = prepare};

}  // namespace microbench::selftest_containers
