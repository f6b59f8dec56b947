// A copy to the device from ordinary memory makes the host wait for the kernels before it; from pinned not.
//
// Question: Behind a kernel of 10 ms, how long does the "asynchronous" call for a copy of 4 KiB take?
//
// For ordinary memory the "asynchronous" call first waits until the stream has done everything that was
// queued before, then copies the bytes into a pinned buffer, and only then returns. Behind a long kernel a
// copy of microseconds keeps the host for as long as the kernel takes. From pinned memory it only queues the
// copy.
//
// When it does not matter: where the stream is idle, and where the host would have waited anyway. The driver
// decides what it really does ("might be synchronous"), for small copies above all, whose call may return
// early: the Programming Guide says so of up to 64 KiB. Hence sizes on both sides of it. On an H200 with
// driver 580 the call for 128 KiB returned after 13 us, behind a kernel of 1 ms (docs/gpu.md).
//
// The naive form hides a synchronization in every copy. A row measures a kernel of the given length, a copy
// after it, and then work of the host, on one core, that takes as long as the kernel; beside the times stands
// how long the call of the copy kept the host.

#include "microbench/host_time.hpp"
#include "microbench/overlap/delay.hpp"
#include "microbench/overlap/host_work.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::sync_pageable_implies {
namespace {

using namespace harness;

constexpr Axis axes[] = {
    {.name = "bytes",
     .about = "of the copy",
     .values = {4 << 10, 64 << 10, 128 << 10, 4 << 20},
     .quick = {128 << 10},
     .unit = Unit::bytes},
    {.name = "ms",
     .about = "about how many milliseconds the kernel before it takes, and the host's work behind it",
     .values = {1, 10},
     .quick = {1}}};

struct State {
  State(Setup& setup, std::size_t size, double seconds)
      : kernel(setup, seconds), pinned(size), pageable(size), target(size) {
    fill_pattern(pinned.bytes(), setup.seed);
    fill_pattern(pageable.bytes(), setup.seed);
  }
  template <class Source>
  void copy(const Source& from, const Stream& stream) const {
    check(cudaMemcpyAsync(target.data(), from.data(), from.size(), cudaMemcpyHostToDevice, stream.get()));
  }
  template <class Source>
  void run(const Source& from, const Stream& stream) {
    kernel.queue(stream);
    copy(from, stream);
    host_result = host_work(0.25F, host_rounds);
  }
  Delay kernel;
  PinnedBuffer pinned;
  PageableBuffer pageable;
  DeviceBuffer target;
  int host_rounds = 1;
  float host_result = 0;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto seconds = 1e-3 * static_cast<double>(point["ms"]);
  const auto& stream = *setup.stream;
  require_device_memory(size);
  const auto s = std::make_shared<State>(setup, size, seconds);
  s->host_rounds = setup.calibrated("sync/pageable_implies/" + std::to_string(seconds),
                                    [&] { return host_work_rounds(seconds); });

  return {
      .naive = [s, &stream] { s->run(s->pageable, stream); },
      .optimized = [s, &stream] { s->run(s->pinned, stream); },
      .clear =
          [s, &stream] {
            check(cudaMemsetAsync(s->target.data(), 0xA5, s->target.size(), stream.get()));
            s->kernel.clear(stream);
            stream.synchronize();
            s->host_result = -1;
          },
      .answer = [s, &stream](Form) -> Answer {
        auto bytes = read_back(s->target, stream);
        append(bytes, read_back(s->kernel.values(), stream));
        append(bytes, std::as_bytes(std::span(&s->host_result, 1)));
        return bytes;
      },
      .figures = [s, &stream]() -> std::vector<Figure> {
        const auto busy = [&] { stream.synchronize(), s->kernel.queue(stream); };
        const auto naive = typical_host_seconds(busy, [&] { s->copy(s->pageable, stream); });
        const auto optimized = typical_host_seconds(busy, [&] { s->copy(s->pinned, stream); });
        return {{"the copy's call keeps the host", "ms", 1e3 * naive, 1e3 * optimized}};
      },
  };
}

}  // namespace

extern constexpr Step step = checked({
    .id = "sync/pageable_implies",
    .claim = "A copy to the device from pageable memory makes the host wait for the kernels before it.",
    .claim_ids = "sync-pageable-implies xfer-h2d-64k",
    .source = {.title = "CUDA Runtime API",
               .url = "https://docs.nvidia.com/cuda/cuda-runtime-api/api-sync-behavior.html",
               .where = "API synchronization behavior, Memcpy, Asynchronous"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .except = "bytes:4KiB bytes:64KiB"},
});

}  // namespace microbench::sync_pageable_implies
