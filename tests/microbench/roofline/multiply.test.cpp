#include "microbench/roofline/multiply.hpp"

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

TEST_CASE("each value is multiplied as often as asked, in blocks and behind the last one", "[roofline]") {
  constexpr std::size_t n = 64 + 64 + 7;
  std::vector<float> in(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<float>(i + 1);
  std::vector<float> out(n, -1);
  microbench::multiply(in.data(), out.data(), 1, n, 2, 5);
  CHECK(out[0] == -1);
  for (std::size_t i = 1; i < n; ++i) CHECK(out[i] == 32 * in[i]);
}

TEST_CASE("no repetition copies", "[roofline]") {
  const std::vector<float> in(100, 3);
  std::vector<float> out(100, -1);
  microbench::multiply(in.data(), out.data(), 0, 100, 2, 0);
  CHECK(out == in);
}

}  // namespace
