// Let the host do its own work between queueing work for the device and waiting for it.
//
// Question: At `host:100` both work equally long. What is saved when the host works before the wait?
//
// A copy of pinned memory and a kernel are only queued by their calls; a program that waits at once throws
// the host's time away. Work that does not need the result belongs between the last launch and the wait:
// preparing the next batch, writing a log, anything that does not ask the device.
//
// `host` is the host's work as a share of the device's.
//
// When it does not matter: where the host has next to nothing to do, or far more than the device. With
// pageable memory (`memory`) the call of the copy keeps the host until the bytes have been staged, and what
// can overlap shrinks to the kernel.
//
// A row measures a copy in, an equally long kernel, and arithmetic on one core that touches no memory.
//
// Answer: Half at most: the two run beside each other, and the time of one is left. With another share it is
// the shorter of the two times.

#include "microbench/overlap/copy_and_work.hpp"
#include "microbench/overlap/host_work.hpp"
#include "microbench/tip.hpp"

namespace microbench::overlap_host_compute {

constexpr Axis axes[] = {
    {.name = "memory", .about = "of the host, where the copy comes from", .labels = {"pinned", "pageable"}},
    {.name = "host",
     .about = "the host's work, in percent of the device's copy (pinned) and kernel",
     .values = {25, 100, 200}}};
constexpr std::size_t size = 32 << 20;

struct State {
  explicit State(std::uint64_t seed) : device(size, seed) { fill_pattern(pageable.bytes(), seed); }
  void queue(const Stream& stream, bool from_pageable) const {
    if (from_pageable)
      check(
          cudaMemcpyAsync(device.target.data(), pageable.data(), size, cudaMemcpyHostToDevice, stream.get()));
    else
      device.copy(stream.get());
    device.work(stream.get());
  }
  CopyAndWork device;
  PageableBuffer pageable{size};
  int host_rounds = 1;
  float host_result = 0;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto share = point["host"];
  const bool pageable = point["memory"] == 1;
  const auto& stream = *setup.stream;
  require_device_memory(size);
  const auto s = std::make_shared<State>(setup.seed);
  s->device.pace(setup, "overlap/host_compute");
  s->host_rounds = setup.calibrated("overlap/host_compute/host/" + std::to_string(share), [&] {
    const auto seconds = s->device.copy_seconds(stream) + s->device.work_seconds(stream);
    return host_work_rounds(seconds * static_cast<double>(share) / 100);
  });

  return {
      .naive =
          [s, &stream, pageable] {
            s->queue(stream, pageable);
            stream.synchronize();
            s->host_result = host_work(0.25F, s->host_rounds);
          },
      .optimized =
          [s, &stream, pageable] {
            s->queue(stream, pageable);
            s->host_result = host_work(0.25F, s->host_rounds);
            stream.synchronize();
          },
      .clear =
          [s, &stream] {
            s->device.clear(stream);
            s->host_result = -1;
          },
      .answer = [s, &stream](Form) -> Answer {
        auto bytes = s->device.answer(stream);
        append(bytes, std::as_bytes(std::span(&s->host_result, 1)));
        return bytes;
      },
  };
}

extern constexpr Step step = checked({
    .id = "overlap/host_compute",
    .claim = "Work of the host overlaps with an asynchronous copy and a kernel if it comes before the wait.",
    .claim_ids = "ovl-host-compute",
    .sides = {"after the wait", "before the wait"},
    .source = best_practices("Asynchronous and Overlapping Transfers with Computation"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "memory:pinned"},
});

}  // namespace microbench::overlap_host_compute
