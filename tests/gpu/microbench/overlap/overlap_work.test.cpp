#include "microbench/overlap/overlap_work.hpp"

#include "tests/gpu/require_device.hpp"

#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstring>
#include <vector>

namespace {

using namespace harness;

/// What the kernel computes for one value, on the host.
float work_on_host(float x, int rounds) {
  float y = x;
  for (int r = 0; r < rounds; ++r) y = std::fma(0.5F, y, 1.0F / std::sqrt(std::fma(y, y, 1.0F)));
  return x + y;
}

/// n values, transformed on the device.
std::vector<float> work_on_device(std::vector<float> values, int rounds) {
  const Stream stream;
  const auto bytes = values.size() * sizeof(float);
  const DeviceBuffer device(bytes);
  check(cudaMemcpyAsync(device.data(), values.data(), bytes, cudaMemcpyHostToDevice, stream.get()));
  check(microbench::queue_work(reinterpret_cast<float*>(device.data()), values.size(), rounds, stream.get()));
  check(cudaMemcpyAsync(values.data(), device.data(), bytes, cudaMemcpyDeviceToHost, stream.get()));
  stream.synchronize();
  return values;
}

TEST_CASE("the kernel computes what the host computes, bit for bit", "[gpu][overlap]") {
  require_device();
  for (const std::size_t n : {1U, 255U, 256U, 100'003U}) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 1000) / 100 - 5;
    auto expected = values;
    for (auto& x : expected) x = work_on_host(x, 3);
    const auto got = work_on_device(values, 3);
    CHECK(std::memcmp(got.data(), expected.data(), n * sizeof(float)) == 0);
  }
}

TEST_CASE("different values stay different after many rounds", "[gpu][overlap]") {
  require_device();
  const auto got = work_on_device({0.25F, 0.5F}, 2000);
  CHECK(got[1] - got[0] == 0.25F);
}

}  // namespace
