#include "microbench/short_kernels.hpp"

#include "tests/gpu/microbench/launch/device_vector.hpp"
#include "tests/gpu/require_device.hpp"

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

using namespace harness;
using namespace microbench;

std::vector<float> ramp(std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 1000) / 8 - 5;
  return values;
}

TEST_CASE("increments count the launches, in every value", "[gpu][launch]") {
  require_device();
  const Stream stream;
  for (const std::size_t n : {1U, 255U, 256U, 257U, 100'003U}) {
    const DeviceVector values(std::vector<float>(n, 0.0F), stream);
    for (int i = 0; i < 3; ++i) check(queue_increment(values.data(), n, stream.get()));
    CHECK(values.read(stream) == std::vector<float>(n, 3.0F));
  }
}

TEST_CASE("the sum and the scaled values are those of the host", "[gpu][launch]") {
  require_device();
  const Stream stream;
  constexpr std::size_t n = 1'003;
  const DeviceVector a(ramp(n), stream);
  const DeviceVector b(std::vector<float>(n, 0.5F), stream);
  const DeviceVector factor(std::vector<float>{3.0F}, stream);
  const DeviceVector out(std::vector<float>(n, -1.0F), stream);
  auto expected = ramp(n);

  check(queue_add(out.data(), a.data(), b.data(), n, stream.get()));
  for (auto& value : expected) value += 0.5F;
  CHECK(out.read(stream) == expected);

  expected = ramp(n);
  for (auto& value : expected) value *= 3.0F;
  check(queue_scale(out.data(), a.data(), 3.0F, n, stream.get()));
  CHECK(out.read(stream) == expected);
  check(queue_scale(out.data(), a.data(), 1.0F, n, stream.get()));
  check(queue_scale_by(out.data(), a.data(), factor.data(), n, stream.get()));
  CHECK(out.read(stream) == expected);
}

TEST_CASE("masked sums add up the valid values only", "[gpu][launch]") {
  require_device();
  const Stream stream;
  constexpr std::size_t n = 50'000;
  const DeviceVector ones(std::vector<float>(n, 1.0F), stream);
  const DeviceVector sums(std::vector<float>(partial_sums, -1.0F), stream);
  for (const int valid : {0, 1, 12'345, 50'000}) {
    const DeviceVector count(std::vector<int>{valid}, stream);
    check(queue_masked_sums(sums.data(), ones.data(), count.data(), n, stream.get()));
    float total = 0;
    for (const auto sum : sums.read(stream)) total += sum;
    CHECK(total == static_cast<float>(valid));
  }
}

TEST_CASE("padding changes no bit of masked sums", "[gpu][launch]") {
  require_device();
  const Stream stream;
  constexpr std::size_t valid = 20'011;
  const DeviceVector values(ramp(40'000), stream);
  const DeviceVector count(std::vector<int>{static_cast<int>(valid)}, stream);
  const DeviceVector sums(std::vector<float>(partial_sums, -1.0F), stream);
  check(queue_masked_sums(sums.data(), values.data(), count.data(), valid, stream.get()));
  const auto exact = sums.read(stream);
  for (const std::size_t padded : {20'012U, 32'768U, 40'000U}) {
    check(queue_masked_sums(sums.data(), values.data(), count.data(), padded, stream.get()));
    CHECK(sums.read(stream) == exact);
  }
}

}  // namespace
