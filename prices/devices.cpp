// Machines with several devices: each one's link to the host, and the links between them.
#include "harness/core/slot.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/require_device_memory.hpp"
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
  if (gated)
    sample_queued(state, queued_copies, stream, queue);
  else
    sample_calls(state, 1, [&] { return host_seconds(once); });
  count_bytes(state, size);
}

void link_row(benchmark::State& state, int device, bool to_device, std::size_t size) {
  const Current current(device);
  require_device_memory(size);
  const Stream stream;
  const PinnedBuffer host(size);
  const DeviceBuffer memory(size);
  const auto copy = [&] {
    if (to_device)
      check(cudaMemcpyAsync(memory.data(), host.data(), size, cudaMemcpyHostToDevice, stream.get()));
    else
      check(cudaMemcpyAsync(host.data(), memory.data(), size, cudaMemcpyDeviceToHost, stream.get()));
  };
  fill_pattern(host.bytes(), seed);
  fill_on_device(all_of(memory), seed, stream);
  sample_copies(state, stream, size, /*gated=*/true, copy);
  if (to_device)
    clear_on_device(all_of(memory), stream);
  else
    std::memset(host.data(), 0, size);
  copy();
  stream.synchronize();
  require_on_device(all_of(memory), seed, stream);
  require_pattern(host.bytes(), seed);
}

/// Lets the current device reach the other's memory while it lives, where it can: else copies go by way of
/// the host.
class PeerAccess {
 public:
  PeerAccess(int from, int to) : to_(to) {
    int can = 0;
    check(cudaDeviceCanAccessPeer(&can, from, to));
    if (can == 0) return;
    const auto status = cudaDeviceEnablePeerAccess(to, 0);
    ours_ = status == cudaSuccess;
    direct_ = ours_ || status == cudaErrorPeerAccessAlreadyEnabled;
    if (direct_)
      cudaGetLastError();
    else
      check(status);
  }
  PeerAccess(const PeerAccess&) = delete;
  PeerAccess& operator=(const PeerAccess&) = delete;
  ~PeerAccess() {
    if (ours_) report(cudaDeviceDisablePeerAccess(to_));
  }
  bool direct() const { return direct_; }

 private:
  int to_;
  bool ours_ = false;
  bool direct_ = false;
};

void peer_row(benchmark::State& state, int from, int to, std::size_t size) {
  const auto buffer_on = [size](int device) {
    const Current current(device);
    require_device_memory(size);
    return DeviceBuffer(size);
  };
  const auto on_target = [&](const auto& work) {
    const Current there(to);
    const Stream stream;
    work(stream);
  };
  const auto target = buffer_on(to);
  const auto source = buffer_on(from);
  const Current current(from);
  const PeerAccess access(from, to);
  const Stream stream;
  const auto copy = [&] {
    check(cudaMemcpyPeerAsync(target.data(), to, source.data(), from, size, stream.get()));
  };
  fill_on_device(all_of(source), seed, stream);
  sample_copies(state, stream, size, access.direct(), copy);
  on_target([&](const Stream& there) { clear_on_device(all_of(target), there); });
  copy();
  stream.synchronize();
  on_target([&](const Stream& there) { require_on_device(all_of(target), seed, there); });
  state.SetLabel(access.direct() ? "direct" : "by way of the host");
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

}  // namespace

void add_devices(const Machine& machine) {
  if (machine.devices < 2 || !machine.has_cuda()) return;
  for (const auto size : fitting(link_sizes, 1, std::min(machine.host_bytes, machine.device_bytes)))
    add_links(machine, size);
}

}  // namespace prices
