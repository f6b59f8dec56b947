// Copies by the device, after nvbandwidth's method: 16 are queued behind a kernel that waits, events around
// them give the device's time, at least three such samples give a median, and the bytes are checked. Its
// size is 512 MiB. Copies from and to pageable memory cannot be queued, since the host takes part in them:
// they are timed by the host's clock, one at a time, until they are done.

#include "harness/core/slot.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include "prices/checks.hpp"
#include "prices/pattern.hpp"
#include "prices/price_list.hpp"
#include "prices/price_row.hpp"
#include "prices/priced_machine.hpp"
#include "prices/queued.hpp"

#include <fmt/format.h>

namespace prices {
namespace {

using namespace harness;

constexpr std::uint32_t seed = 1;
constexpr std::size_t all_sizes[] = {kib,     4 * kib,  16 * kib, 64 * kib,  256 * kib, mib,
                                     4 * mib, 16 * mib, 64 * mib, 256 * mib, 512 * mib, gib};
constexpr std::size_t some_sizes[] = {kib, 16 * kib, 256 * kib, 4 * mib, 64 * mib, 512 * mib, gib};

/// One copy, to be queued again and again.
struct Copy {
  std::byte* to;
  const std::byte* from;
  std::size_t size;
  cudaMemcpyKind kind;
  void queue(const Stream& stream) const { check(cudaMemcpyAsync(to, from, size, kind, stream.get())); }
  void run(const Stream& stream) const {
    queue(stream);
    stream.synchronize();
  }
};

template <class Place>
void sample(benchmark::State& state, const Copy& copy, const Stream& stream) {
  copy.run(stream);
  if constexpr (std::is_same_v<Place, Pageable>)
    sample_calls(state, 1, [&] { return host_seconds([&] { copy.run(stream); }); });
  else
    sample_queued(state, queued_copies, stream, [&] { copy.queue(stream); });
  count_bytes(state, copy.size);
}

template <class Place>
void to_device_row(benchmark::State& state, const Stream& stream, std::size_t size) {
  const Buffer<Place> host(size);
  const DeviceBuffer device(size);
  fill_pattern(host.bytes(), seed);
  const Copy copy{device.data(), host.data(), size, cudaMemcpyHostToDevice};
  sample<Place>(state, copy, stream);
  clear_on_device(all_of(device), stream);
  copy.run(stream);
  require_on_device(all_of(device), seed, stream);
}

template <class Place>
void to_host_row(benchmark::State& state, const Stream& stream, std::size_t size) {
  const Buffer<Place> host(size);
  const DeviceBuffer device(size);
  fill_on_device(all_of(device), seed, stream);
  const Copy copy{host.data(), device.data(), size, cudaMemcpyDeviceToHost};
  sample<Place>(state, copy, stream);
  std::memset(host.data(), 0, size);
  copy.run(stream);
  if constexpr (std::is_same_v<Place, WriteCombined>) {
    // The host reads this memory so slowly that 1 GiB takes seconds: the device looks at what lies there.
    clear_on_device(all_of(device), stream);
    Copy{device.data(), host.data(), size, cudaMemcpyHostToDevice}.run(stream);
    require_on_device(all_of(device), seed, stream);
  } else {
    require_pattern(host.bytes(), seed);
  }
}

void on_device_row(benchmark::State& state, const Stream& stream, std::size_t size) {
  const DeviceBuffer from(size);
  const DeviceBuffer to(size);
  fill_on_device(all_of(from), seed, stream);
  const Copy copy{to.data(), from.data(), size, cudaMemcpyDeviceToDevice};
  sample<OnDevice>(state, copy, stream);
  clear_on_device(all_of(to), stream);
  copy.run(stream);
  require_on_device(all_of(to), seed, stream);
}

/// Both directions from one start to the later end; the bytes of both are counted.
void both_ways_row(benchmark::State& state, const Stream& there, std::size_t size) {
  const PinnedBuffer out(size);
  const PinnedBuffer in(size);
  const DeviceBuffer arrives(size);
  const DeviceBuffer leaves(size);
  const Stream back;
  const Event begun;
  const Event done;
  fill_pattern(out.bytes(), seed);
  fill_on_device(all_of(leaves), seed + 1, there);
  const Copy to_device{arrives.data(), out.data(), size, cudaMemcpyHostToDevice};
  const Copy to_host{in.data(), leaves.data(), size, cudaMemcpyDeviceToHost};
  to_device.run(there);
  to_host.run(back);
  QueueGate gate(there);
  sample_calls(state, queued_copies, [&] {
    return gate.seconds([&] {
      begun.record(there);
      begun.hold(back);
      for (int i = 0; i < queued_copies; ++i) {
        to_device.queue(there);
        to_host.queue(back);
      }
      done.record(back);
      done.hold(there);
    });
  });
  clear_on_device(all_of(arrives), there);
  std::memset(in.data(), 0, size);
  to_device.run(there);
  to_host.run(back);
  require_on_device(all_of(arrives), seed, there);
  require_pattern(in.bytes(), seed + 1);
  count_bytes(state, 2 * size);
}

using Row = void (*)(benchmark::State&, const Stream&, std::size_t);

/// A row for each size of which `copies` fit on either side.
void add_sizes(const Machine& machine, std::string_view name, std::span<const std::size_t> sizes, Row row) {
  constexpr std::size_t copies = 2;
  for (const auto size : fitting(sizes, copies, std::min(machine.host_bytes, machine.device_bytes)))
    add(fmt::format("prices/copy/{}/bytes:{}", name, bytes_text(size)), Clock::own,
        [row, size, stream = machine.stream](benchmark::State& state) { row(state, *stream, size); });
}

// Memory that moves by itself to whoever touches it, brought over beforehand or when it is missed.

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

void add_copies(const Machine& machine) {
  if (!machine.has_cuda()) return;
  add_sizes(machine, "h2d/host:pageable", all_sizes, to_device_row<Pageable>);
  add_sizes(machine, "h2d/host:pinned", all_sizes, to_device_row<Pinned>);
  add_sizes(machine, "h2d/host:write_combined", some_sizes, to_device_row<WriteCombined>);
  const bool registers = machine.has(cudaDevAttrHostRegisterSupported);
  if (registers) add_sizes(machine, "h2d/host:registered", some_sizes, to_device_row<Registered>);
  add_sizes(machine, "d2h/host:pageable", all_sizes, to_host_row<Pageable>);
  add_sizes(machine, "d2h/host:pinned", all_sizes, to_host_row<Pinned>);
  add_sizes(machine, "d2h/host:write_combined", some_sizes, to_host_row<WriteCombined>);
  if (registers) add_sizes(machine, "d2h/host:registered", some_sizes, to_host_row<Registered>);
  add_sizes(machine, "d2d", all_sizes, on_device_row);
  add_sizes(machine, "both/host:pinned", some_sizes, both_ways_row);
}

void add_managed(const Machine& machine) {
  // Where the device does not fetch pages that it misses, all are brought over at each launch.
  if (!machine.has_cuda() || !machine.has(cudaDevAttrConcurrentManagedAccess)) return;
  for (const auto size : fitting(sizes, 1, std::min(machine.host_bytes, machine.device_bytes)))
    for (const bool fetch_first : {false, true})
      add(fmt::format("prices/managed/prefetch:{}/bytes:{}", fetch_first ? "yes" : "no", bytes_text(size)),
          Clock::own, [=](benchmark::State& state) { managed_row(state, machine, fetch_first, size); });
}

}  // namespace prices
