#include "stand_in/kernels/block.hpp"

#include "stand_in/kernels/device_functions.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace {

std::vector<std::string>& failures() {
  static std::vector<std::string> all;
  return all;
}

}  // namespace

/// The runtime's, for this program.
void stand_in::fail(cudaError_t, const std::string& why) { failures().push_back(why); }

namespace stand_in::kernels {
namespace {

TEST_CASE("every thread of a grid runs once, at its own place", "[stand_in]") {
  std::set<std::tuple<unsigned, unsigned, unsigned, unsigned>> seen;
  run_grid(dim3(3, 2), dim3(5, 7), [&] {
    const auto& at = here();
    CHECK((at.block_size.x == 5 && at.block_size.y == 7 && at.grid_size.x == 3));
    CHECK(seen.emplace(at.block.x, at.block.y, at.thread.x, at.thread.y).second);
  });
  CHECK(seen.size() == 3 * 2 * 5 * 7);
}

TEST_CASE("behind a barrier a thread sees what every other one wrote before it", "[stand_in]") {
  constexpr unsigned n = 100;
  std::vector<unsigned> written(n), seen(2 * n);
  run_grid(dim3(2), dim3(n), [&] {
    const auto& at = here();
    written[at.thread.x] = at.thread.x + at.block.x;
    syncthreads();
    seen[at.block.x * n + at.thread.x] = written[n - 1 - at.thread.x];
    syncthreads();
  });
  for (unsigned i = 0; i < n; ++i) {
    CHECK(seen[i] == n - 1 - i);
    CHECK(seen[n + i] == n - i);
  }
}

TEST_CASE("threads that have returned are not waited for", "[stand_in]") {
  int behind = 0;
  run_grid(dim3(1), dim3(64), [&] {
    if (here().thread.x < 40) return;
    syncthreads();
    ++behind;
  });
  CHECK(behind == 24);
  CHECK(failures().empty());
}

TEST_CASE("a sum by shuffles reaches every lane of each warp", "[stand_in]") {
  std::vector<float> sums(96);
  run_grid(dim3(1), dim3(96), [&] {
    auto value = static_cast<float>(here().thread.x);
    for (int step = 16; step > 0; step /= 2) value += shfl_xor_sync(~0U, value, step);
    sums[here().thread.x] = value;
  });
  for (unsigned i = 0; i < 96; ++i) CHECK(sums[i] == 496.0F + static_cast<float>(i / 32) * 1024.0F);
}

TEST_CASE("warps that shuffle a different number of times do not wait for each other", "[stand_in]") {
  std::vector<int> seen(64);
  run_grid(dim3(1), dim3(64), [&] {
    int value = 0;
    for (unsigned i = 0; i <= here().thread.x / 32; ++i) value = shfl_sync(~0U, value + 1, 3);
    seen[here().thread.x] = value;
  });
  CHECK(seen[0] == 1);
  CHECK(seen[63] == 2);
}

TEST_CASE("shared memory is NaN where a block has not written it, whatever the block before left",
          "[stand_in]") {
  std::vector<float> seen;
  run_grid(dim3(2), dim3(4), [&] {
    auto* const shared = static_cast<float*>(shared_memory(&seen, 4 * sizeof(float), alignof(float)));
    if (here().block.x == 0) shared[here().thread.x] = 1;
    syncthreads();
    seen.push_back(shared[here().thread.x]);
  });
  CHECK(std::accumulate(seen.begin(), seen.begin() + 4, 0.0F) == 4);
  for (int i = 4; i < 8; ++i) CHECK(std::isnan(seen[static_cast<std::size_t>(i)]));
}

TEST_CASE("shared memory is aligned as it is asked for and no better", "[stand_in]") {
  std::vector<std::uintptr_t> addresses;
  const int small = 0, large = 0;
  run_grid(dim3(1), dim3(1), [&] {
    addresses.push_back(reinterpret_cast<std::uintptr_t>(shared_memory(&small, 64, 4)));
    addresses.push_back(reinterpret_cast<std::uintptr_t>(shared_memory(&large, 64, 16)));
  });
  CHECK(addresses.at(0) % 8 == 4);
  CHECK(addresses.at(1) % 32 == 16);
}

TEST_CASE("a barrier that some threads never reach is a failed kernel, not a hang", "[stand_in]") {
  failures().clear();
  run_grid(dim3(1), dim3(64), [&] {
    if (here().thread.x % 2 == 0)
      syncthreads();
    else
      std::ignore = shfl_sync(~0U, 1, 0);
  });
  REQUIRE_FALSE(failures().empty());
  CHECK(failures().front().find("never come") != std::string::npos);
  failures().clear();
}

}  // namespace
}  // namespace stand_in::kernels
