// How fast the device's memory feeds its multiprocessors: a = b + s c, 12 bytes a number.
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include "prices/price_kernels.hpp"
#include "prices/price_list.hpp"
#include "prices/price_row.hpp"
#include "prices/priced_machine.hpp"
#include "prices/queued.hpp"

#include <fmt/format.h>

namespace prices {
namespace {

using namespace harness;

constexpr std::size_t sizes[] = {mib, 64 * mib, 512 * mib};  // of each array; the first stays in the cache
constexpr float scalar = 3;

/// n floats of device memory: 0 to period - 1, again and again; sums of such numbers are exact.
struct Floats {
  Floats(std::size_t n, int period, const Stream& stream) : memory(n * sizeof(float)) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % static_cast<std::size_t>(period));
    check(cudaMemcpyAsync(memory.data(), values.data(), memory.size(), cudaMemcpyHostToDevice, stream.get()));
    stream.synchronize();
  }
  float* data() const { return reinterpret_cast<float*>(memory.data()); }
  DeviceBuffer memory;
};

void require_triad(const Floats& a, int period_b, int period_c, const Stream& stream) {
  std::vector<float> values(a.memory.size() / sizeof(float));
  check(cudaMemcpyAsync(values.data(), a.data(), a.memory.size(), cudaMemcpyDeviceToHost, stream.get()));
  stream.synchronize();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto b = static_cast<float>(i % static_cast<std::size_t>(period_b));
    const auto c = static_cast<float>(i % static_cast<std::size_t>(period_c));
    if (values[i] != b + scalar * c) throw std::runtime_error("the triad is wrong at " + std::to_string(i));
  }
}

void triad_row(benchmark::State& state, const Stream& stream, std::size_t size) {
  constexpr int calls = 16;
  constexpr int period_b = 1000;
  constexpr int period_c = 7;
  const auto n = size / sizeof(float);
  const Floats a(n, 1, stream);
  const Floats b(n, period_b, stream);
  const Floats c(n, period_c, stream);
  const auto once = [&] { check(queue_triad(a.data(), b.data(), c.data(), scalar, n, stream.get())); };
  once();
  stream.synchronize();
  sample_queued(state, calls, stream, once);  // from the cache, a call is shorter than its launch
  require_triad(a, period_b, period_c, stream);
  count_bytes(state, 3 * size);
}

}  // namespace

void add_device_bandwidth(const Machine& machine) {
  if (!machine.has_cuda()) return;
  const auto memory = std::min(machine.device_bytes, 3 * machine.host_bytes);  // one array at a time there
  for (const auto size : fitting(sizes, 3, memory))
    add(fmt::format("prices/triad/device/bytes:{}", bytes_text(size)), Clock::own,
        [size, stream = machine.stream](benchmark::State& state) { triad_row(state, *stream, size); });
}

}  // namespace prices
