#include "microbench/transfer/accumulate.hpp"

#include "tests/gpu/require_device.hpp"

#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstring>
#include <vector>

namespace {

using namespace harness;
using microbench::accumulate_piece;

constexpr float untouched = -3;

std::vector<float> numbers(std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 1000) / 1000;
  return values;
}

/// What so many passes of the kernel leave, on the host.
std::vector<float> on_host(const std::vector<float>& in, std::size_t step, int passes) {
  std::vector<float> out(in.size(), untouched);
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < in.size(); ++i)
      if (i / accumulate_piece % step == 0) out[i] = pass == 0 ? in[i] : std::fma(0.5F, out[i], in[i]);
  return out;
}

/// The same on the device, whose input lies in memory of that kind.
template <class InputBuffer>
std::vector<float> on_device(const std::vector<float>& in, std::size_t step, int passes) {
  const Stream stream;
  const auto size = in.size() * sizeof(float);
  std::vector<float> out(in.size(), untouched);
  const InputBuffer from(size);
  const DeviceBuffer to(size);
  check(cudaMemcpyAsync(from.data(), in.data(), size, cudaMemcpyDefault, stream.get()));
  check(cudaMemcpyAsync(to.data(), out.data(), size, cudaMemcpyHostToDevice, stream.get()));
  for (int pass = 0; pass < passes; ++pass)
    check(microbench::queue_accumulate(reinterpret_cast<const float*>(from.data()),
                                       reinterpret_cast<float*>(to.data()), in.size(), step, pass == 0,
                                       stream.get()));
  check(cudaMemcpyAsync(out.data(), to.data(), size, cudaMemcpyDeviceToHost, stream.get()));
  stream.synchronize();
  return out;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST_CASE("passes over device memory add up as they do on the host, bit for bit", "[gpu][transfer]") {
  require_device();
  for (const std::size_t pieces : {1U, 2U, 37U})
    for (const std::size_t step : {1U, 10U})
      for (const int passes : {1, 4}) {
        CAPTURE(pieces, step, passes);
        const auto in = numbers(pieces * accumulate_piece);
        CHECK(same_bits(on_device<DeviceBuffer>(in, step, passes), on_host(in, step, passes)));
      }
}

TEST_CASE("mapped memory of the host gives the same as device memory", "[gpu][transfer]") {
  require_device();
  const auto in = numbers(64 * accumulate_piece);
  CHECK(same_bits(on_device<MappedBuffer>(in, 10, 3), on_host(in, 10, 3)));
}

}  // namespace
