// Copy to the device from page-locked ("pinned") memory instead of ordinary memory.
//
// Question: 16 MiB go to the device from ordinary memory and from pinned memory. By what factor is pinned
// memory faster, and is that still so at 64 KiB?
//
// The device's copy engine reads host memory by physical address, so the pages must not move while it does.
// Ordinary pages may move: the driver therefore copies them, piece by piece and with the processor, into its
// own pinned buffer, and the engine reads that one. From pinned memory the detour disappears and the link
// reaches its full speed. The call then only queues the copy (in PyTorch with non_blocking=True), so the host
// can do something else.
//
// When it does not matter: with small copies, where the start costs more than the bytes (up to 64 KiB the
// call may return before the bytes have arrived, even from ordinary memory); where the copy happens once,
// since pinning memory costs more than one copy of it; where a fast processor stages the pages nearly as
// quickly as the link takes them.
//
// Both times are taken, because they say different things: `event` is what the device's stream was busy with,
// `wall` is what the host waited for. The buffers are made, and every page of them written, beforehand.
//
// Answer: The sources report factors of 2.5 and 1.15. On the H200 here (commit 7400cad) it was 4.3: 323 us
// instead of 1.40 ms. At 64 KiB the start costs more than the bytes, and the call may return before they have
// arrived, so little is left.

#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::transfer_pinned_h2d {

/// The same bytes in both kinds of memory, and where they go.
struct State {
  explicit State(std::size_t size) : pageable(size), pinned(size), device(size) {}
  PageableBuffer pageable;
  PinnedBuffer pinned;
  DeviceBuffer device;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto& stream = *setup.stream;
  require_device_memory(size);
  const auto s = std::make_shared<State>(size);
  fill_pattern(s->pageable.bytes(), setup.seed);
  fill_pattern(s->pinned.bytes(), setup.seed);

  const auto copy_from = [s, &stream](const auto& source) {
    check(cudaMemcpyAsync(s->device.data(), source.data(), source.size(), cudaMemcpyHostToDevice,
                          stream.get()));
  };
  return {
      .naive = [s, copy_from] { copy_from(s->pageable); },
      .optimized = [s, copy_from] { copy_from(s->pinned); },
      .clear = [s, &stream] { scribble(s->device, stream); },
      .answer = [s, &stream](Form) -> Answer { return read_back(s->device, stream); },
      .timer = static_cast<Timer>(point["timer"]),
      .bytes_moved = size,
  };
}

extern constexpr Step step = checked({
    .id = "transfer/pinned_h2d",
    .claim = "Copying to the device is faster from pinned than from pageable memory.",
    .claim_ids = "xfer-pinned-h2d",
    .sides = {"pageable", "pinned"},
    .source = transfer_post("Pinned Host Memory"),
    .runs = Runs::cuda,
    .axes = copy_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "2.31 -> 5.77 GB/s (NVS 4200M); 5.37 -> 6.19 GB/s (GTX 680); 16 MB",
                    .except = "bytes:64KiB"},
    .suite = Suite::quick,
});

}  // namespace microbench::transfer_pinned_h2d
