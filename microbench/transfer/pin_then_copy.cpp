// Do not call `.pin_memory()` on a tensor only to copy it to the device.
//
// Question: Pinned memory copies faster. Does calling pin_memory() on a tensor just before its copy make
// copying 4 MiB faster or slower?
//
// Pinned memory is quicker to copy from, so it looks like a good idea to pin a tensor just before its copy.
// But `.pin_memory()` does not pin the tensor where it lies: it takes a pinned block, and the processor
// copies the whole tensor into it while the program waits. That is the same detour that the driver makes for
// ordinary memory, only that the driver overlaps it with the transfer, piece by piece, and that the block has
// to come from somewhere. Pinned memory pays when the data are put there in the first place
// (transfer/pinned_h2d measures that), not when it is one more stop on the way.
//
// When it does not hurt: where another thread does it while this one has other work, and where a quick
// processor and several copies in a row make up for the extra stop. With a cached block (`cache:warm`) the
// machine decides above 4 MiB; at 4 MiB the source has measured it. Both sides copy into the same memory of
// the device, so that only the way there differs.
//
// `cache` says where the block comes from. LibTorch keeps pinned blocks for later use: `warm` finds one
// there, as every call of a loop after the first does. `cold` gives it back to the system at the end of the
// run, so that each run pays for pinning and unpinning pages, as a first call does.
//
// Answer: The source found pinning first slower, 0.713 ms against 0.458. On the H200 here, with a host of 16
// cores, it was faster, 274 us against 389 (commit 7400cad): pin_memory() copies with all of LibTorch's
// threads, the driver with one. So with a cached block the machine decides. Without one, pinning itself takes
// longer than the copy.

#include "harness/cuda/stream.hpp"

#include "microbench/host_time.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/tensors.hpp"

#include <ATen/core/CachingHostAllocator.h>

namespace microbench::transfer_pin_then_copy {

enum Cache : std::int64_t { warm, cold };
constexpr Axis axes[] = {
    {.name = "bytes",
     .about = "of the tensor",
     .values = {64 << 10, 4 << 20, 64 << 20},
     .quick = {4 << 20},
     .unit = Unit::bytes},
    {.name = "cache",
     .about = "warm: LibTorch has a pinned block at hand; cold: it is pinned and freed in each run",
     .quick = {warm},
     .labels = {"warm", "cold"}}};

struct State {
  at::Tensor source, target;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto bytes = point["bytes"];
  const bool give_back = point["cache"] == cold;
  const auto& stream = *setup.stream;
  require_device_memory(static_cast<std::size_t>(bytes));
  const auto s = std::make_shared<State>();
  s->source = random_values({bytes / static_cast<std::int64_t>(sizeof(float))}, setup.seed);
  s->target = at::empty_like(s->source, at::TensorOptions().device(torch_device(setup.device)));

  return {
      .naive =
          [s, give_back, &stream] {
            s->target.copy_(s->source.pin_memory(), /*non_blocking=*/true);
            if (!give_back) return;
            stream.synchronize();  // a block that is still read from would be kept
            at::getHostAllocator(at::kCUDA)->empty_cache();
          },
      .optimized = [s] { s->target.copy_(s->source); },
      .clear = [s] { s->target.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->target); },
      .figures = [s, give_back]() -> std::vector<Figure> {
        const auto pin = [&] {
          s->source.pin_memory();
          if (give_back) at::getHostAllocator(at::kCUDA)->empty_cache();
        };
        return {{"of which pin_memory()", "us", host_microseconds(pin), 0}};
      },
      .bytes_moved = static_cast<std::size_t>(bytes),
  };
}

extern constexpr Step step = checked({
    .id = "transfer/pin_then_copy",
    .claim = "Copying a pageable tensor directly is faster than calling pin_memory() right before the copy.",
    .claim_ids = "xfer-pin-then-copy",
    .sides = {"pinned first", "copied as it is"},
    .source = pinning_tutorial("pin_memory()"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published =
                        "0.713 -> 0.458 ms (4 MB tensor, hardware not stated); pinning up to twice as slow",
                    .except = "bytes:64MiB/cache:warm"},
    .suite = Suite::quick,
});

}  // namespace microbench::transfer_pin_then_copy
