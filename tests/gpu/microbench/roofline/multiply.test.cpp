#include "microbench/roofline/multiply.hpp"

#include "tests/gpu/require_device.hpp"

#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstring>
#include <vector>

namespace {

using namespace harness;

/// n values, multiplied on the device.
std::vector<float> on_device(const std::vector<float>& values, float factor, int repeat) {
  const Stream stream;
  const auto bytes = values.size() * sizeof(float);
  const DeviceBuffer in(bytes);
  const DeviceBuffer out(bytes);
  std::vector<float> result(values.size());
  check(cudaMemcpyAsync(in.data(), values.data(), bytes, cudaMemcpyHostToDevice, stream.get()));
  check(microbench::queue_multiply(reinterpret_cast<const float*>(in.data()),
                                   reinterpret_cast<float*>(out.data()), values.size(), factor, repeat,
                                   stream.get()));
  check(cudaMemcpyAsync(result.data(), out.data(), bytes, cudaMemcpyDeviceToHost, stream.get()));
  stream.synchronize();
  return result;
}

TEST_CASE("the kernel multiplies as the host does, bit for bit", "[gpu][roofline]") {
  require_device();
  for (const std::size_t n : {1U, 255U, 256U, 100'003U})
    for (const int repeat : {0, 1, 15, 16, 17, 1000}) {
      INFO(n << " values, " << repeat << " times");
      std::vector<float> values(n);
      for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 1000) / 100 - 5;
      std::vector<float> expected(n);
      microbench::multiply(values.data(), expected.data(), 0, n, 1.0004F, repeat);
      const auto got = on_device(values, 1.0004F, repeat);
      CHECK(std::memcmp(got.data(), expected.data(), n * sizeof(float)) == 0);
    }
}

}  // namespace
