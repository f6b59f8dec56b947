// Numbers written as text and read back, as a program does that reads JSON or CSV.
#include "microbench/selftest/pairs.hpp"

#include <charconv>

namespace microbench::selftest_text {

using namespace harness;

constexpr int numbers = 2'000;

struct State {
  std::string text;
  float sum = -1;
};

void write(State& state) {
  char digits[32];
  state.text.clear();
  for (int i = 0; i < numbers; ++i) {
    const auto end = std::to_chars(std::begin(digits), std::end(digits), 0.37 * i).ptr;
    state.text.append("{\"value\": ").append(std::begin(digits), end).append("}\n");
  }
}

void read(State& state) {
  double sum = 0;
  for (std::size_t at = 0; (at = state.text.find(": ", at)) != std::string::npos;) {
    at += 2;
    double value = 0;
    std::from_chars(state.text.data() + at, state.text.data() + state.text.size(), value);
    sum += value;
  }
  state.sum = static_cast<float>(sum);
}

Trial prepare(Setup&, const Point&) {
  const auto s = std::make_shared<State>();
  return equal_forms(
      [s] {
        write(*s);
        read(*s);
      },
      [s] { s->sum = -1; }, [s] { return std::vector{s->sum}; });
}

extern constexpr EqualPair pair{.id = "selftest/text", .axes = {}, .prepare = prepare};

}  // namespace microbench::selftest_text
