// Machines with several devices: each one's link to the host, and the links between them. And memory that
// moves by itself to whoever touches it, brought over beforehand or when it is missed.
#include "harness/cuda/buffer.hpp"
#include "harness/cuda/stream.hpp"
#include "harness/measure/host_seconds.hpp"

#include "prices/checks.hpp"
#include "prices/gate.hpp"
#include "prices/names.hpp"
#include "prices/pattern.hpp"
#include "prices/row.hpp"
#include "prices/subjects.hpp"

#include <cuda_runtime_api.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace prices {
namespace {

using namespace harness;

constexpr int queued_copies = 16;
constexpr std::uint32_t seed = 1;
constexpr std::array<std::size_t, 2> link_sizes{64 * mib, 512 * mib};

/// The current device of this thread, until it ends.
class Current {
 public:
  explicit Current(int device) {
    check(cudaGetDevice(&before_));
    check(cudaSetDevice(device));
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;
  ~Current() { report(cudaSetDevice(before_)); }

 private:
  int before_ = 0;
};

/// Queued behind a gate, or one at a time by the host's clock: a copy in which the host takes part does not
/// return before the gate opens.
template <class Queue>
void sample_copies(benchmark::State& state, const Stream& stream, std::size_t size, bool gated,
                   const Queue& queue) {
  const auto once = [&] {
    queue();
    stream.synchronize();
  };
  once();
  if (gated) {
    Gate gate(stream);
    sample_calls(state, queued_copies, [&] {
      return gate.seconds([&] {
        for (int i = 0; i < queued_copies; ++i) queue();
      });
    });
  } else {
    sample_calls(state, 1, [&] { return host_seconds(once); });
  }
  count_bytes(state, size);
}

void link_row(benchmark::State& state, int device, bool to_device, std::size_t size) {
  const Current current(device);
  const Stream stream;
  const PinnedBuffer host(size);
  const DeviceBuffer memory(size);
  if (to_device)
    fill_pattern(host.bytes(), seed);
  else
    fill_on_device(all_of(memory), seed, stream);
  sample_copies(state, stream, size, /*gated=*/true, [&] {
    if (to_device)
      check(cudaMemcpyAsync(memory.data(), host.data(), size, cudaMemcpyHostToDevice, stream.get()));
    else
      check(cudaMemcpyAsync(host.data(), memory.data(), size, cudaMemcpyDeviceToHost, stream.get()));
  });
  if (to_device)
    require_on_device(all_of(memory), seed, stream);
  else
    require_pattern(host.bytes(), seed);
}

/// Lets the current device reach the other's memory, where it can: else copies go by way of the host.
bool reach(int from, int to) {
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, from, to));
  if (can == 0) return false;
  const auto status = cudaDeviceEnablePeerAccess(to, 0);
  if (status == cudaErrorPeerAccessAlreadyEnabled)
    cudaGetLastError();
  else
    check(status);
  return true;
}

void peer_row(benchmark::State& state, int from, int to, std::size_t size) {
  const auto buffer_on = [size](int device) {
    const Current current(device);
    return DeviceBuffer(size);
  };
  const auto target = buffer_on(to);
  const Current current(from);
  const bool direct = reach(from, to);
  const Stream stream;
  const DeviceBuffer source(size);
  fill_on_device(all_of(source), seed, stream);
  sample_copies(state, stream, size, /*gated=*/direct, [&] {
    check(cudaMemcpyPeerAsync(target.data(), to, source.data(), from, size, stream.get()));
  });
  {
    const Current there(to);
    const Stream reader;
    require_on_device(all_of(target), seed, reader);
  }
  state.SetLabel(direct ? "direct" : "by way of the host");
}

/// CUDA 13 takes a place where CUDA 12 takes the number of a device.
template <class Place>
void prefetch(const Place& place, std::span<std::byte> bytes, const Stream& stream) {
  if constexpr (requires { cudaMemPrefetchAsync(bytes.data(), bytes.size(), place, 0U, stream.get()); })
    check(cudaMemPrefetchAsync(bytes.data(), bytes.size(), place, 0U, stream.get()));
  else
    check(cudaMemPrefetchAsync(bytes.data(), bytes.size(), place.id, stream.get()));
}

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

void add_links(const Machine& machine, std::size_t size) {
  const auto text = bytes_text(size);
  for (int device = 0; device < machine.devices; ++device)
    for (const bool to_device : {true, false})
      add(fmt::format("prices/link/{}/device:{}/bytes:{}", to_device ? "h2d" : "d2h", device, text),
          Clock::own, [=](benchmark::State& state) { link_row(state, device, to_device, size); });
  for (int from = 0; from < machine.devices; ++from)
    for (int to = 0; to < machine.devices; ++to)
      if (from != to)
        add(fmt::format("prices/peer/from:{}/to:{}/bytes:{}", from, to, text), Clock::own,
            [=](benchmark::State& state) { peer_row(state, from, to, size); });
}

/// Whether the device fetches pages when it misses them; else all are brought over at each launch.
bool fetches_pages(int device) {
  int does = 0;
  check(cudaDeviceGetAttribute(&does, cudaDevAttrConcurrentManagedAccess, device));
  return does != 0;
}

}  // namespace

void add_devices(const Machine& machine) {
  if (!machine.has_cuda()) return;
  const auto memory = std::min(machine.host_bytes, machine.device_bytes);
  if (machine.devices > 1)
    for (const auto size : fitting(link_sizes, 1, memory)) add_links(machine, size);
  if (!fetches_pages(machine.device.index)) return;
  for (const auto size : fitting(link_sizes, 1, memory))
    for (const bool fetch_first : {false, true})
      add(fmt::format("prices/managed/prefetch:{}/bytes:{}", fetch_first ? "yes" : "no", bytes_text(size)),
          Clock::own, [=](benchmark::State& state) { managed_row(state, machine, fetch_first, size); });
}

}  // namespace prices
