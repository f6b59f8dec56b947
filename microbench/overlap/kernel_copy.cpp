// Leave copies to the copy engine; a kernel that reads host memory needs very many loads at once.
//
// Question: A kernel copies 64 MiB between pinned memory and the device's, as fast as it can. Is it as fast
// as the copy engine, and the same in both directions?
//
// A kernel reaches pinned memory of the host by its address. What it writes there is sent off, and the thread
// goes on. What it reads from there it has to wait for: a request goes over the link, the host's memory
// answers, and a microsecond or more later the bytes are here. If an answer takes 1 us, a link of 50 GB/s is
// full only while 50 KB are on their way (50 GB/s x 1 us); a copy engine asks for that by itself. A kernel
// needs many threads, and each thread needs loads that do not wait for each other. So a kernel's reads may
// lie below its writes on the same link.
//
// When a kernel is right: where the pieces are many and small, so that one launch takes the place of many
// copies (`transfer/batch_small` with `way:gather`), or where most of the bytes are not wanted
// (gnn/feature_gather). When it does not matter: where the kernel has enough loads in flight and the device
// nothing else to do; what it takes from other work is `overlap/copy_engine_frees_sm`.
//
// A row copies by a kernel of `blocks` blocks with 512 threads, 16 bytes a load, against one cudaMemcpyAsync.
// 8 blocks ask for 64 KiB at once, 256 for 2 MiB if the device has room for that many threads.
//
// Answer: At best as fast, and on the way to the device often slower: the source reports 35.2 GB/s to the
// device and 52.8 GB/s to the host by a kernel, on an H100 (nvbandwidth; others there saw the same on an H20
// and an H800). Nobody at NVIDIA has said there why.

#include "microbench/overlap/sm_copy.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::overlap_kernel_copy {

enum To : std::int64_t { device, host };
constexpr Axis axes[] = {
    {.name = "to", .about = "where the bytes go", .labels = {"device", "host"}},
    {.name = "blocks", .about = "of 512 threads, in the copying kernel", .values = {8, 256}, .quick = {256}},
    {.name = "bytes",
     .about = "of the copy",
     .values = {1 << 20, 64 << 20},
     .quick = {64 << 20},
     .unit = Unit::bytes}};

struct State {
  explicit State(std::size_t size) : on_host(size), on_device(size) {}
  PinnedBuffer on_host;
  DeviceBuffer on_device;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto blocks = static_cast<unsigned>(point["blocks"]);
  const bool to_host = point["to"] == host;
  const auto kind = to_host ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
  const auto& stream = *setup.stream;
  require_device_memory(size);
  const auto s = std::make_shared<State>(size);
  auto* const to = to_host ? s->on_host.data() : s->on_device.data();
  const auto* const from = to_host ? s->on_device.data() : s->on_host.data();
  fill_pattern(s->on_host.bytes(), setup.seed);
  if (to_host) {
    check(
        cudaMemcpyAsync(s->on_device.data(), s->on_host.data(), size, cudaMemcpyHostToDevice, stream.get()));
    stream.synchronize();
  }
  return {
      .naive = [s, to, from, size, blocks,
                &stream] { check(queue_sm_copy(to, from, size, blocks, stream.get())); },
      .optimized = [s, to, from, size, kind,
                    &stream] { check(cudaMemcpyAsync(to, from, size, kind, stream.get())); },
      .clear =
          [s, to_host, &stream] {
            if (to_host)
              scribble(s->on_host.bytes());
            else
              scribble(s->on_device, stream);
          },
      .answer = [s, to_host, &stream](Form) -> Answer {
        return to_host ? copy_of(s->on_host.bytes()) : read_back(s->on_device, stream);
      },
      .timer = Timer::event,
      .bytes_moved = size,
  };
}

extern constexpr Step step = checked({
    .id = "overlap/kernel_copy",
    .claim = "The copy engine brings pinned memory to the device sooner than a copying kernel does.",
    .sides = {"kernel", "copy engine"},
    .source = {"nvbandwidth", "https://github.com/NVIDIA/nvbandwidth/issues/24",
               "issue 24, host_to_device_memcpy_sm"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends,
                    .published = "by kernel 35.2 GB/s to the device, 52.8 to the host (H100)"},
    .delta = 0.02,
});

}  // namespace microbench::overlap_kernel_copy
