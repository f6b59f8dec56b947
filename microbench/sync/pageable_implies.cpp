// A copy to the device from ordinary memory may make the host wait for earlier kernels; a copy from pinned
// memory does not.
//
// Question: Behind a kernel of 10 ms, how long does the "asynchronous" call keep the host for a copy of
// 64 KiB, how long for one of 64 MiB?
//
// The copy engine cannot read ordinary memory, so the host first copies the bytes into a pinned buffer of the
// driver's. Before that, the driver may wait until the stream has done everything that was queued earlier.
// CUDA leaves both open: such a call "might be synchronous", and the driver "may synchronize with the
// stream". Only cudaMemcpy, without "Async", waits for the stream by rule. From pinned memory the call only
// queues the copy.
//
// When it does not matter: where the bytes fit into the driver's buffer, and where the stream is idle or the
// host would have waited anyway. On an H200 with driver 580 the call for 128 KiB returned after 13 us, behind
// a kernel of 1 ms (docs/gpu.md): this driver did not wait. The Programming Guide promises that the call for
// up to 64 KiB returns early. Nothing is expected of small copies, therefore, nor of 4 MiB behind 10 ms.
//
// A row measures a kernel of the given length, a copy after it, and then work of the host, on one core, that
// takes as long as the kernel. Beside the times stands how long the call kept the host, behind the kernel and
// on an idle stream. What the first has more than the second is the wait: the smallest size with a difference
// is where your driver begins to wait.
//
// Answer: CUDA leaves it open: the call "might be synchronous". If your driver waits for earlier work, 10 ms
// and the staging in both cases; if not, microseconds for 64 KiB, and for 64 MiB the time of staging. On the
// H200 here (commit 7400cad) the call for 128 KiB behind 1 ms kept the host 13 us: that driver did not wait.

#include "microbench/host_time.hpp"
#include "microbench/overlap/delay.hpp"
#include "microbench/overlap/host_work.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::sync_pageable_implies {

constexpr Axis axes[] = {
    {.name = "bytes",
     .about = "of the copy",
     .values = {64 << 10, 128 << 10, 4 << 20, 64 << 20},
     .quick = {128 << 10},
     .unit = Unit::bytes},
    {.name = "ms",
     .about = "about how many milliseconds the kernel before it takes, and the host's work after it",
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
        const auto idle = [&] { stream.synchronize(); };
        const auto busy = [&] { stream.synchronize(), s->kernel.queue(stream); };
        const auto kept = [&](const char* name, const auto& before) -> Figure {
          return {name, "ms", 1e3 * typical_host_seconds(before, [&] { s->copy(s->pageable, stream); }),
                  1e3 * typical_host_seconds(before, [&] { s->copy(s->pinned, stream); })};
        };
        return {kept("the copy's call keeps the host", busy), kept("on an idle stream", idle)};
      },
  };
}

extern constexpr Step step = checked({
    .id = "sync/pageable_implies",
    .claim = "A copy to the device from pageable memory may make the host wait for the kernels before it.",
    .claim_ids = "sync-pageable-implies xfer-h2d-64k",
    .sides = {"pageable", "pinned"},
    .source = {.title = "CUDA Runtime API",
               .url = "https://docs.nvidia.com/cuda/cuda-runtime-api/api-sync-behavior.html",
               .where = "API synchronization behavior, Memcpy, Asynchronous"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "no figure",
                    .about = "bytes:64MiB bytes:4MiB/ms:1"},
    .suite = Suite::quick,
});

}  // namespace microbench::sync_pageable_implies
