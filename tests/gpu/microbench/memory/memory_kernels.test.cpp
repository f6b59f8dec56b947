#include "microbench/memory/memory_kernels.hpp"

#include "tests/gpu/require_device.hpp"

#include "microbench/memory/device_floats.hpp"
#include "microbench/memory/math.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

using namespace harness;
using namespace microbench;

DeviceFloats on_device(const std::vector<float>& values, const Stream& stream) {
  DeviceFloats device(values.size());
  device.upload(values, stream);
  return device;
}

TEST_CASE("a strided copy on the device takes what the host would", "[gpu][memory]") {
  require_device();
  const Stream stream;
  const auto values = random_floats(10'000, 1);
  const auto in = on_device(values, stream);
  const std::vector<std::array<std::size_t, 3>> shapes = {{1, 1, 0}, {257, 32, 11}, {10'000, 1, 0}};
  for (const auto& [n, stride, offset] : shapes) {
    const DeviceFloats out(n);
    out.clear(stream);
    check(queue_strided_copy(out.data(), in.data(), n, stride, offset, stream.get()));
    const auto got = out.download(stream);
    for (std::size_t i = 0; i < n; ++i) REQUIRE(got[i] == values[offset + i * stride]);
  }
}

TEST_CASE("values that are spread on the device lie where the host would put them, and between them nothing",
          "[gpu][memory]") {
  require_device();
  const Stream stream;
  for (const auto& [n, stride, offset] :
       std::vector<std::array<std::size_t, 3>>{{1, 1, 0}, {300, 8, 0}, {1000, 1, 11}}) {
    const SpreadValues wanted(n, stride, offset, 3);
    const auto packed = on_device(wanted.packed, stream);
    const auto spread = on_device(std::vector<float>(offset + n * stride, 7.0F), stream);
    check(queue_spread(spread.data(), packed.data(), n, stride, offset, stream.get()));
    CHECK(spread.download(stream) == wanted.spread);
  }
}

TEST_CASE("both transposes turn every value", "[gpu][memory]") {
  require_device();
  const Stream stream;
  for (const unsigned n : {32U, 96U, 256U}) {
    const auto values = random_floats(std::size_t{n} * n, n);
    const auto in = on_device(values, stream);
    const DeviceFloats out(values.size());
    for (const auto tile : {Tile::none, Tile::shared}) {
      out.clear(stream);
      check(queue_transpose(out.data(), in.data(), n, tile, stream.get()));
      const auto got = out.download(stream);
      for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < n; ++column)
          REQUIRE(got[column * n + row] == values[row * n + column]);
    }
  }
}

TEST_CASE("both products are the host's, bit for bit", "[gpu][memory]") {
  require_device();
  const Stream stream;
  for (const unsigned n : {32U, 96U}) {
    const auto a = random_floats(std::size_t{n} * n, 1);
    const auto b = random_floats(std::size_t{n} * n, 2);
    const auto left = on_device(a, stream);
    const auto right = on_device(b, stream);
    const DeviceFloats out(a.size());
    for (const auto tile : {Tile::none, Tile::shared}) {
      out.clear(stream);
      check(queue_product(out.data(), left.data(), right.data(), n, tile, stream.get()));
      const auto got = out.download(stream);
      for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < n; ++column) {
          float sum = 0;
          for (std::size_t k = 0; k < n; ++k) sum = std::fma(a[row * n + k], b[k * n + column], sum);
          REQUIRE(got[row * n + column] == sum);
        }
    }
  }
}

TEST_CASE("a look-up finds the same in constant and in global memory", "[gpu][memory]") {
  require_device();
  const Stream stream;
  const auto values = random_floats(table_size, 3);
  const auto table = on_device(values, stream);
  check(queue_table_upload(values.data(), stream.get()));
  constexpr std::size_t n = 1000;
  constexpr int reads = 7;
  for (const unsigned spread : {0U, 1U, 33U})
    for (const float* from : {static_cast<const float*>(nullptr), static_cast<const float*>(table.data())}) {
      const DeviceFloats out(n);
      check(queue_lookups(out.data(), n, reads, spread, from, stream.get()));
      const auto got = out.download(stream);
      for (std::size_t i = 0; i < n; ++i) {
        float sum = 0;
        for (std::size_t r = 0; r < reads; ++r) sum += values[(r + (i % 32) * spread) % table_size];
        REQUIRE(got[i] == sum);
      }
    }
}

TEST_CASE("the three builds of one kernel compute the same function", "[gpu][memory]") {
  require_device();
  const Stream stream;
  const auto values = random_floats(5000, 4);
  const auto in = on_device(values, stream);
  const DeviceFloats out(values.size());
  for (const auto queue : {queue_math_plain, queue_math_fast, queue_math_debug})
    for (const int rounds : {0, 1, 8}) {
      out.clear(stream);
      check(queue(out.data(), in.data(), values.size(), rounds, stream.get()));
      const auto got = out.download(stream);
      for (std::size_t i = 0; i < values.size(); ++i) {
        double y = rounds > 0 ? values[i] : 0;
        for (int r = 0; r < rounds; ++r) y = std::sin(y) + std::exp(-y * y);
        REQUIRE(std::abs(got[i] - (values[i] + y)) < 1e-5);
      }
    }
}

}  // namespace
