// Leave memory that is used once pageable, or pin it once and keep it: pinning costs more than allocating.
//
// Question: How much longer does it take to allocate 64 MiB of pinned memory than to allocate and touch 64
// MiB of ordinary memory?
//
// An ordinary allocation reserves addresses; the system maps a page when it is first written to. To pin
// memory the driver has every page mapped at once, tells the system that none of them may move, and enters
// each into the tables by which the device finds them; giving it back undoes all that. It is a call into the
// driver with locks held, and while it lasts other work of the device may have to wait. Pin once, at the
// start, and use the memory again and again; never inside a loop.
//
// When it does not matter: for memory that lives as long as the program, and where a cache of pinned memory
// is warm (`way:cached`).
//
// `way` says how the pinned memory is obtained; the other side is ordinary memory. `alloc` asks CUDA for
// pinned memory. `register` pins memory that is there already, page by page, which is what pinning in place
// costs. `cached` takes a block that LibTorch's allocator of pinned memory has kept: it costs hardly
// anything, not even the page faults of fresh ordinary memory.
//
// The driver serves small pinned blocks out of chunks of 2 MiB: where a chunk has room left, a block of 1 MiB
// costs some microseconds instead of a millisecond. On an H200 one row measured both prices, in different
// processes.
//
// Both sides touch every page, since an allocation has not cost its full price until it is written to, and
// both give the memory back within the run. Ordinary memory comes from the system itself, as malloc gets a
// large block; what malloc had kept would cost no faults. CUDA is up and running before anything is timed.
//
// Answer: The more pages, the more: each is mapped, locked and entered into the device's tables, where
// ordinary memory is only mapped. The H200's row of 1 MiB (commit 7400cad) got no verdict: a pinned block
// took 722 us at the median, but some rounds got theirs from a chunk. A cached block costs next to nothing.

#include "harness/cuda/pageable_pinned_device_buffers.hpp"

#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"
#include "microbench/transfer/pages.hpp"

#include <ATen/core/CachingHostAllocator.h>

namespace microbench::transfer_pinned_alloc_cost {

enum Way : std::int64_t { alloc, registered, cached };
constexpr Axis axes[] = {
    {.name = "bytes",
     .about = "of one block",
     .values = {1 << 20, 64 << 20},
     .quick = {64 << 20},
     .unit = Unit::bytes},
    {.name = "way",
     .about = "to pinned memory; alloc: cudaMallocHost; register: cudaHostRegister of fresh pages; cached: "
              "LibTorch's host allocator, which keeps blocks",
     .quick = {alloc},
     .labels = {"alloc", "register", "cached"}}};

std::uint64_t use_pinned(std::int64_t way, std::size_t size) {
  if (way == alloc) {
    const PinnedBuffer block(size);
    return use_pages(block.bytes());
  }
  if (way == registered) {
    const FreshPages pages(size);
    const PageLock pinned(pages.bytes());
    return use_pages(pages.bytes());
  }
  const auto block = at::getHostAllocator(at::kCUDA)->allocate(size);
  return use_pages({static_cast<std::byte*>(block.get()), size});
}

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto way = point["way"];
  if (way == registered) require_registration(setup.device);
  const auto found = std::make_shared<std::uint64_t>(0);
  return {
      .naive = [found, size, way] { *found = use_pinned(way, size); },
      .optimized =
          [found, size] {
            const FreshPages pages(size);
            *found = use_pages(pages.bytes());
          },
      .clear = [found] { *found = 0; },
      .answer = [found](Form) -> Answer { return number_bytes(*found); },
  };
}

extern constexpr Step step = checked({
    .id = "transfer/pinned_alloc_cost",
    .claim = "Allocating and touching ordinary memory takes less time than allocating pinned memory.",
    .claim_ids = "xfer-pinned-alloc-cost",
    .sides = {"pinned", "pageable"},
    .source = best_practices("Pinned Memory"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "way:alloc"},
    .suite = Suite::quick,
});

}  // namespace microbench::transfer_pinned_alloc_cost
