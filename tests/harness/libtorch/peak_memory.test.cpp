#include "harness/libtorch/work_counts.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <stdexcept>

namespace {

using harness::peak_bytes;

at::Tensor block(std::int64_t bytes) { return at::empty({bytes}, at::kByte); }

TEST_CASE("work that allocates nothing holds nothing", "[peak_memory]") {
  CHECK(peak_bytes([] {}) == 0);
}

TEST_CASE("blocks held at once add up, blocks one after the other do not", "[peak_memory]") {
  CHECK(peak_bytes([] {
          const auto a = block(1000);
          const auto b = block(3000);
        }) == 4000);
  CHECK(peak_bytes([] {
          block(1000);
          block(3000);
          block(2000);
        }) == 3000);
}

TEST_CASE("what was held before does not count, and freeing it makes no room", "[peak_memory]") {
  auto before = block(10'000);
  CHECK(peak_bytes([&] {
          before.reset();
          block(500);
        }) == 500);
}

TEST_CASE("what outlives one run does not count in the next", "[peak_memory]") {
  at::Tensor kept;
  CHECK(peak_bytes([&] { kept = block(700); }) == 700);
  kept.reset();
  kept = block(300);  // perhaps where the 700 lay
  CHECK(peak_bytes([&] {
          kept.reset();
          block(100);
        }) == 100);
}

TEST_CASE("the backward pass counts", "[peak_memory]") {
  const auto x = at::ones({1000}).requires_grad_();
  const auto loss = x.exp().sum();
  CHECK(peak_bytes([&] { loss.backward(); }) >= 4000);
}

TEST_CASE("work that throws ends the listening", "[peak_memory]") {
  CHECK_THROWS_AS(peak_bytes([] { throw std::runtime_error("work"); }), std::runtime_error);
  CHECK(peak_bytes([] { block(64); }) == 64);
}

}  // namespace
