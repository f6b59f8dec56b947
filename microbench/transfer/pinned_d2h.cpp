// Copy from the device into page-locked ("pinned") memory instead of ordinary memory.
//
// Question: Into which memory does the device write faster, and is the factor the same as on the way there
// (transfer/pinned_h2d)?
//
// A copy to the host takes the same detour as one to the device: the copy engine can only write pages that
// stay where they are, so for ordinary memory it fills a pinned buffer of the driver, and the processor
// copies from that one to where the bytes were wanted. Into pinned memory the engine writes directly, and
// an asynchronous call does not wait for it. Into ordinary memory the call usually returns when the last
// byte has arrived.
//
// When it does not matter: for a few bytes, such as a loss, where waiting for the device is the whole price
// (sync/item_every_step); where the result is copied once into memory that had to be pinned for it.
//
// The target's pages are all written before anything is timed. A target fresh from the allocator would let
// the first side pay for the page faults of its first use, which has nothing to do with pinning.
//
// Answer: Into pinned memory; published 2.32 -> 5.96 GB/s. On the H200 here (commit 7400cad) 16 MiB took
// 1.45 ms -> 317 us back and 1.40 ms -> 323 us there: the factor is about the same, 4.3 to 4.6.

#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::transfer_pinned_d2h {

/// What is copied, and the two kinds of memory that it goes to.
struct State {
  explicit State(std::size_t size) : device(size), pageable(size), pinned(size) {}
  DeviceBuffer device;
  PageableBuffer pageable;
  PinnedBuffer pinned;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto& stream = *setup.stream;
  require_device_memory(size);
  const auto s = std::make_shared<State>(size);
  fill_pattern(s->pinned.bytes(), setup.seed);
  check(cudaMemcpyAsync(s->device.data(), s->pinned.data(), size, cudaMemcpyHostToDevice, stream.get()));
  stream.synchronize();

  const auto copy_into = [s, &stream](const auto& target) {
    check(cudaMemcpyAsync(target.data(), s->device.data(), target.size(), cudaMemcpyDeviceToHost,
                          stream.get()));
  };
  return {
      .naive = [s, copy_into] { copy_into(s->pageable); },
      .optimized = [s, copy_into] { copy_into(s->pinned); },
      .clear =
          [s] {
            scribble(s->pageable.bytes());
            scribble(s->pinned.bytes());
          },
      .answer = [s](Form form) -> Answer {
        return copy_of(form == Form::naive ? s->pageable.bytes() : s->pinned.bytes());
      },
      .timer = static_cast<Timer>(point["timer"]),
      .bytes_moved = size,
  };
}

extern constexpr Step step = checked({
    .id = "transfer/pinned_d2h",
    .claim = "Copying from the device is faster into pinned than into pageable memory.",
    .claim_ids = "xfer-pinned-d2h",
    .sides = {"pageable", "pinned"},
    .source = transfer_post("Pinned Host Memory"),
    .runs = Runs::cuda,
    .axes = copy_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "2.32 -> 5.96 GB/s (NVS 4200M); 5.63 -> 6.67 GB/s (GTX 680); 16 MB"},
    .suite = Suite::quick,
});

}  // namespace microbench::transfer_pinned_d2h
