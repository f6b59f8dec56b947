#include "microbench/launch/fused_kernels.hpp"

#include "tests/gpu/microbench/launch/device_vector.hpp"
#include "tests/gpu/require_device.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {

using namespace harness;
using namespace microbench;

std::vector<float> random_values(std::size_t n) {
  std::mt19937 engine(1);
  std::vector<float> values(n);
  for (auto& value : values) value = static_cast<float>(engine() % 20'001) / 1000 - 10;
  return values;
}

/// The largest of each 2 x 2 values and 0.
std::vector<float> relu_max_pool_on_host(const std::vector<float>& in, const Planes& planes) {
  std::vector<float> out;
  for (std::size_t p = 0; p < planes.count; ++p)
    for (std::size_t y = 0; y < planes.height; y += 2)
      for (std::size_t x = 0; x < planes.width; x += 2) {
        const auto* upper = &in[(p * planes.height + y) * planes.width + x];
        const auto* lower = upper + planes.width;
        out.push_back(std::max({0.0F, upper[0], upper[1], lower[0], lower[1]}));
      }
  return out;
}

TEST_CASE("the fused cosines are two cosines", "[gpu][launch]") {
  require_device();
  const Stream stream;
  for (const std::size_t n : {1U, 256U, 100'003U}) {
    const auto host = random_values(n);
    const DeviceVector in(host, stream);
    const DeviceVector out(std::vector<float>(n, -7.0F), stream);
    check(queue_cos_cos(out.data(), in.data(), n, stream.get()));
    const auto got = out.read(stream);
    float worst = 0;
    for (std::size_t i = 0; i < n; ++i)
      worst = std::max(worst, std::abs(got[i] - std::cos(std::cos(host[i]))));
    CHECK(worst < 1e-6F);
  }
}

TEST_CASE("the fused pooling takes the largest of four values and zero", "[gpu][launch]") {
  require_device();
  const Stream stream;
  for (const Planes planes : {Planes{1, 2, 2}, Planes{3, 4, 6}, Planes{5, 34, 130}}) {
    const auto host = random_values(planes.count * planes.height * planes.width);
    const DeviceVector in(host, stream);
    const DeviceVector out(std::vector<float>(host.size() / 4, -7.0F), stream);
    check(queue_relu_max_pool(out.data(), in.data(), planes, stream.get()));
    CHECK(out.read(stream) == relu_max_pool_on_host(host, planes));
  }
}

}  // namespace
