#include "prices/price_kernels.hpp"

#include "tests/gpu/require_device.hpp"

#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include "prices/checks.hpp"
#include "prices/pattern.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <stdexcept>
#include <vector>

namespace {

using namespace harness;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the device writes the pattern that the host knows", "[gpu][prices]") {
  require_device();
  const Stream stream;
  for (const std::size_t size : {4U, 1024U, 4'000'004U}) {
    const DeviceBuffer device(size);
    std::vector<std::byte> bytes(size);
    prices::fill_on_device(prices::all_of(device), 7, stream);
    check(cudaMemcpyAsync(bytes.data(), device.data(), size, cudaMemcpyDeviceToHost, stream.get()));
    stream.synchronize();
    CHECK_FALSE(prices::first_wrong(bytes, 7));
  }
}

TEST_CASE("the device finds one wrong word", "[gpu][prices]") {
  require_device();
  const Stream stream;
  const DeviceBuffer device(4'000'000);
  prices::fill_on_device(prices::all_of(device), 1, stream);
  CHECK_NOTHROW(prices::require_on_device(prices::all_of(device), 1, stream));
  check(cudaMemsetAsync(device.data() + 3'999'999, 0, 1, stream.get()));
  check(cudaMemsetAsync(device.data() + 3'999'998, 0x5a, 1, stream.get()));
  CHECK_THROWS_WITH(prices::require_on_device(prices::all_of(device), 1, stream),
                    ContainsSubstring("the copy is wrong in 1 words"));
}

TEST_CASE("the triad is a = b + s c, and no more", "[gpu][prices]") {
  require_device();
  const Stream stream;
  constexpr std::size_t n = 100'000;
  std::vector<float> b(n);
  std::vector<float> c(n);
  for (std::size_t i = 0; i < n; ++i) {
    b[i] = static_cast<float>(i % 1000);
    c[i] = static_cast<float>(i % 7);
  }
  constexpr std::size_t size = n * sizeof(float);
  const DeviceBuffer on_a(size + 16);
  const DeviceBuffer on_b(size);
  const DeviceBuffer on_c(size);
  const auto floats = [](const DeviceBuffer& buffer) { return reinterpret_cast<float*>(buffer.data()); };
  check(cudaMemsetAsync(on_a.data(), 0, on_a.size(), stream.get()));
  check(cudaMemcpyAsync(on_b.data(), b.data(), size, cudaMemcpyHostToDevice, stream.get()));
  check(cudaMemcpyAsync(on_c.data(), c.data(), size, cudaMemcpyHostToDevice, stream.get()));
  check(prices::queue_triad(floats(on_a), floats(on_b), floats(on_c), 3, n, stream.get()));
  std::vector<float> a(n + 4);
  check(cudaMemcpyAsync(a.data(), on_a.data(), on_a.size(), cudaMemcpyDeviceToHost, stream.get()));
  stream.synchronize();
  bool right = true;
  for (std::size_t i = 0; i < n; ++i) right = right && a[i] == b[i] + 3 * c[i];
  CHECK(right);
  for (std::size_t i = n; i < n + 4; ++i) CHECK(a[i] == 0);
}

}  // namespace
