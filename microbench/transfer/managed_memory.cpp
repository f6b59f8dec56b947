// Say where data lie and copy them, instead of leaving it to managed memory.
//
// Question: The host writes 16 MiB and a kernel reads them once. What does it cost to let pages come when the
// kernel asks for them, and how much of that does a prefetch take away?
//
// Managed memory has one address for host and device, and a page lies where it was touched last. The
// threads that touch a page of the host's stall until the driver has moved it, while others go on: tens of
// microseconds for a group of pages, again and again. A copy moves all of them at once and at the full
// speed of the link, before the kernel starts. `cudaMemPrefetchAsync` does the same for managed memory, if
// the program says so, and then only reading on the host is left to faults.
//
// When it does not matter: for data that stay where they are, and on systems where host and device share
// memory, or where the link is coherent: nothing has to move there. Managed memory is right for data larger
// than the device's memory, for structures full of pointers, and for programs that are still being written.
//
// A row writes the data on the host, has a kernel read them once, and waits. The first side uses managed
// memory, without or with a prefetch. The second writes into pinned memory and copies.
//
// Answer: Tens of microseconds for each group of pages, during which the threads that touched it stall:
// many times the copy's time. A prefetch moves all at the link's rate, so that only reading on the host is
// left to faults.

#include "harness/cuda/pageable_pinned_device_buffers.hpp"

#include "microbench/tip.hpp"
#include "microbench/transfer/accumulate.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::transfer_managed_memory {

constexpr Axis axes[] = {
    {.name = "bytes",
     .about = "that the host writes and the kernel reads",
     .values = {1 << 20, 16 << 20, 256 << 20},
     .quick = {16 << 20},
     .unit = Unit::bytes},
    {.name = "managed",
     .about = "how pages of managed memory come to the device: when they are touched, or by a prefetch",
     .quick = {0},
     .labels = {"touched", "prefetched"}}};

struct State {
  explicit State(std::size_t size) : source(size), managed(size), pinned(size), in(size), out(size) {}
  PageableBuffer source;
  ManagedBuffer managed;
  PinnedBuffer pinned;
  DeviceBuffer in, out;

  /// One kernel reads all of it. Waits, since the host writes there again.
  void read(const std::byte* from, const Stream& stream) const {
    check(queue_accumulate(reinterpret_cast<const float*>(from), reinterpret_cast<float*>(out.data()),
                           out.size() / sizeof(float), 1, /*first=*/true, stream.get()));
    stream.synchronize();
  }
};

void require_managed(const Device& device) {
  int shared = 0;
  check(cudaDeviceGetAttribute(&shared, cudaDevAttrConcurrentManagedAccess, device.index));
  if (shared == 0) throw Skip("the driver moves managed memory as a whole here, page by page it cannot");
}

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const bool prefetches = point["managed"] == 1;
  const auto& stream = *setup.stream;
  require_managed(setup.device);
  require_device_memory(3 * size);
  const auto s = std::make_shared<State>(size);
  fill_pattern(s->source.bytes(), setup.seed);
  const cudaMemLocation device{.type = cudaMemLocationTypeDevice, .id = setup.device.index};

  return {
      .naive =
          [s, prefetches, device, &stream] {
            std::memcpy(s->managed.data(), s->source.data(), s->source.size());
            if (prefetches) prefetch(device, s->managed.bytes(), stream);
            s->read(s->managed.data(), stream);
          },
      .optimized =
          [s, &stream] {
            std::memcpy(s->pinned.data(), s->source.data(), s->source.size());
            check(cudaMemcpyAsync(s->in.data(), s->pinned.data(), s->in.size(), cudaMemcpyHostToDevice,
                                  stream.get()));
            s->read(s->in.data(), stream);
          },
      .clear = [s, &stream] { scribble(s->out, stream); },
      .answer = [s, &stream](Form) -> Answer { return read_back(s->out, stream); },
      .bytes_moved = size,
  };
}

extern constexpr Step step = checked({
    .id = "transfer/managed_memory",
    .claim = "Data that the host writes reach a kernel sooner by a copy than by managed memory.",
    .claim_ids = "xfer-uvm-vs-explicit",
    .sides = {"managed", "copied"},
    .source = cuda_semantics("Using custom memory allocators for CUDA, the note on managed memory"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "managed:touched"},
});

}  // namespace microbench::transfer_managed_memory
