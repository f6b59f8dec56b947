// Noise for tests, the same on every standard library: only the engine's raw output is used.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace harness::example {

class Noise {
 public:
  explicit Noise(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in (0, 1).
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform()); }
  /// Student's t with 3 degrees of freedom.
  double student3() {
    const auto a = normal(), b = normal(), c = normal();
    return normal() / std::sqrt((a * a + b * b + c * c) / 3);
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(uniform() * static_cast<double>(n)); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace harness::example
