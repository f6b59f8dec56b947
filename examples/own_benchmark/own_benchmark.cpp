// A benchmark without a second form: what `compare --base --head` holds two commits of a program by.
#include <algorithm>
#include <memory>
#include <random>
#include <tuneproof.hpp>
#include <vector>

namespace {

constexpr tuneproof::Axis axes[] = {{.name = "n", .about = "numbers to sort", .values = {1000, 100000}}};

tuneproof::Trial prepare(tuneproof::Setup& setup, const tuneproof::Point& point) {
  std::mt19937 random(7);
  const auto numbers = std::make_shared<std::vector<unsigned>>(static_cast<std::size_t>(point["n"]));
  std::ranges::generate(*numbers, random);
  return tuneproof::beside_fixed_work(setup, [numbers] {
    auto sorted = *numbers;
    std::ranges::sort(sorted);
    [[maybe_unused]] volatile auto kept = sorted.front();
  });
}

constexpr auto sort = tuneproof::benchmark({.id = "my/sort", .axes = axes, .prepare = prepare});

}  // namespace

int main(int argc, char** argv) { return tuneproof::program(argc, argv, {&sort}); }
