// Pin large blocks of odd sizes by cudaHostRegister, where the allocator would round them up.
//
// Question: A program pins 129 MiB by `pin_memory=True`. How much memory is locked?
//
// LibTorch's allocator of pinned memory keeps blocks and hands them out again. So that a block fits many
// requests, it asks the driver for the next power of two: 129 MiB become 256. Nothing can use the rest
// while the block lives, and locked memory can neither be paged out nor be had by others. Ordinary pages
// that are registered (cudaHostRegister) are locked as they are, up to the end of the last page. Since
// PyTorch 2.13 the option pinned_max_round_threshold_mb says above which size nothing is rounded.
//
// When it does not matter: for blocks of a power of two or just below, and for small ones. What it costs:
// registered memory is in no cache, so register what stays as long as the program, and never in a loop
// (transfer/pinned_alloc_cost); whoever gives it back must wait for its copies first.
//
// The result is memory, counted and not timed: what the allocator says that it got from the driver, against
// the pages that were registered. The times stand beside it; both sides write to every page.
//
// Answer: 256 MiB, as published: almost twice what was asked for, and nobody can use the rest. Registered,
// 129 MiB are locked.

#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"
#include "microbench/transfer/pages.hpp"

#include <ATen/core/CachingHostAllocator.h>

namespace microbench::transfer_pinned_exact {

constexpr Axis axes[] = {{.name = "bytes",
                          .about = "of the block",
                          .values = {3 << 20, 129 << 20},
                          .quick = {3 << 20},
                          .unit = Unit::bytes}};
constexpr double mib = 1 << 20;

/// What LibTorch has of the driver for a block of that size.
double cached_mib(std::size_t size) {
  auto* const cache = at::getHostAllocator(at::kCUDA);
  const auto got = [cache] { return static_cast<double>(cache->get_stats().allocated_bytes.current); };
  cache->empty_cache();
  const auto before = got();
  const auto block = cache->allocate(size);
  return (got() - before) / mib;
}

double registered_mib(std::size_t size) {
  return static_cast<double>((size + page_size - 1) / page_size * page_size) / mib;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  require_registration(setup.device);
  const auto found = std::make_shared<std::uint64_t>(0);
  return {
      .naive =
          [found, size] {
            const auto block = at::getHostAllocator(at::kCUDA)->allocate(size);
            *found = use_pages({static_cast<std::byte*>(block.get()), size});
          },
      .optimized =
          [found, size] {
            const FreshPages pages(size);
            const PageLock pinned(pages.bytes());
            *found = use_pages(pages.bytes());
          },
      .clear = [found] { *found = 0; },
      .answer = [found](Form) -> Answer { return number_bytes(*found); },
      .figures = [size]() -> std::vector<Figure> {
        return {{"locked", "MiB", cached_mib(size), registered_mib(size)}};
      },
      .statistic = Statistic::figure,
  };
}

extern constexpr Step step = checked({
    .id = "transfer/pinned_exact",
    .claim = "Registered pages lock what was asked for, where the allocator rounds up to a power of two.",
    .claim_ids = "alloc-host-pow2-waste",
    .sides = {"allocator", "registered"},
    .source = cuda_semantics("pinned_max_round_threshold_mb"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "256 instead of 129 MB"},
    .delta = 0.01,  // bytes have no noise
});

}  // namespace microbench::transfer_pinned_exact
