// Reserve the memory of a vector before filling it.
#include <memory>
#include <numeric>
#include <tuneproof.hpp>
#include <vector>

namespace {

using tuneproof::Answer, tuneproof::Form;
constexpr tuneproof::Axis axes[] = {
    {.name = "n", .about = "numbers in the vector", .values = {1000, 100000}}};

tuneproof::Trial prepare(tuneproof::Setup&, const tuneproof::Point& point) {
  const auto sum = std::make_shared<float>();
  const auto fill = [sum, n = point["n"]](std::vector<float> numbers) {
    for (int i = 0; i < n; ++i) numbers.push_back(static_cast<float>(i));
    *sum = std::accumulate(numbers.begin(), numbers.end(), 0.0F);
  };
  return {.naive = [=] { fill({}); },
          .optimized =
              [=] {
                std::vector<float> numbers;
                numbers.reserve(static_cast<std::size_t>(point["n"]));
                fill(std::move(numbers));
              },
          .clear = [=] { *sum = -1; },
          .answer = [=](Form) -> Answer { return std::vector<float>{*sum}; }};
}

constexpr auto step = tuneproof::tip({.id = "vector/reserve",
                                      .claim = "Reserving a vector's memory saves moving its elements.",
                                      .sides = {"grown", "reserved"},
                                      .runs = tuneproof::Runs::host,
                                      .axes = axes,
                                      .prepare = prepare});

}  // namespace

int main(int argc, char** argv) { return tuneproof::program(argc, argv, {&step}); }
