// Memory that moves by itself to whoever touches it, brought over beforehand or when it is missed.
#include "harness/core/wall_clock.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/prefetch.hpp"
#include "harness/cuda/stream.hpp"

#include "prices/checks.hpp"
#include "prices/machine.hpp"
#include "prices/names.hpp"
#include "prices/pattern.hpp"
#include "prices/row.hpp"

#include <cuda_runtime_api.h>

#include <fmt/format.h>

#include <algorithm>

namespace prices {
namespace {

using namespace harness;

constexpr std::uint32_t seed = 1;
constexpr std::size_t sizes[] = {64 * mib, 512 * mib};

/// Brings the pages to the host, and reads a byte of each.
void take_home(const ManagedBuffer& memory, const Stream& stream) {
  constexpr std::size_t page = 4096;
  prefetch(cudaMemLocation{.type = cudaMemLocationTypeHost, .id = cudaCpuDeviceId}, memory.bytes(), stream);
  stream.synchronize();
  const volatile std::byte* bytes = memory.data();
  for (std::size_t i = 0; i < memory.size(); i += page) static_cast<void>(bytes[i]);
}

/// All lies with the host; the device reads it, and checks it.
void managed_row(benchmark::State& state, const Machine& machine, bool fetch_first, std::size_t size) {
  const auto& stream = *machine.stream;
  const ManagedBuffer memory(size);
  const cudaMemLocation here{.type = cudaMemLocationTypeDevice, .id = machine.device.index};
  DeviceCheck reading;
  fill_pattern(memory.bytes(), seed);
  reading.queue(memory.bytes(), seed, stream);
  reading.require(stream);
  sample_calls(state, 1, [&] {
    take_home(memory, stream);
    const double seconds = host_seconds([&] {
      if (fetch_first) prefetch(here, memory.bytes(), stream);
      reading.queue(memory.bytes(), seed, stream);
      stream.synchronize();
    });
    reading.require(stream);
    return seconds;
  });
  count_bytes(state, size);
}

}  // namespace

void add_managed(const Machine& machine) {
  // Where the device does not fetch pages that it misses, all are brought over at each launch.
  if (!machine.has_cuda() || !machine.has(cudaDevAttrConcurrentManagedAccess)) return;
  for (const auto size : fitting(sizes, 1, std::min(machine.host_bytes, machine.device_bytes)))
    for (const bool fetch_first : {false, true})
      add(fmt::format("prices/managed/prefetch:{}/bytes:{}", fetch_first ? "yes" : "no", bytes_text(size)),
          Clock::own, [=](benchmark::State& state) { managed_row(state, machine, fetch_first, size); });
}

}  // namespace prices
