// Pin memory that several threads have mapped, instead of having the driver map and pin it.
//
// Question: What part of the time to get 128 MiB of pinned memory can 8 threads shorten, and what part stays
// with the driver?
//
// cudaHostAlloc does two things: it has the system find and clear a page of memory for every page of the
// block, and it pins them. The first is most of the time for a large block, and the driver does it with one
// thread. A program can do it beforehand: reserve addresses, let several threads write one byte to each page,
// so that they are found and cleared on several cores at once, and then pin what is there with
// cudaHostRegister. LibTorch does this for its own pinned memory if you set
// PYTORCH_ALLOC_CONF=pinned_use_cuda_host_register:True,pinned_num_register_threads:8 (up to PyTorch 2.9 the
// variable is PYTORCH_CUDA_ALLOC_CONF, a name that later versions read too).
//
// When it does not matter: for small blocks, where starting threads costs more than the pages; where one core
// clears pages as quickly as the memory takes them; where the system hands out huge pages, of which there are
// few; and wherever pinned memory is allocated once. On a machine of several sockets each page lies near the
// thread that wrote to it first, which may be far from the device.
//
// `threads:1` does the same with one thread: its gain comes from cudaHostRegister alone. Both sides allocate,
// use every page and give the memory back; the threads are started within the run.
//
// Answer: Finding and clearing pages is most of it, and that part can be divided among threads, up to what
// the memory takes; the pinning itself stays with the driver. `threads:1` shows what cudaHostRegister alone
// changes.

#include "harness/cuda/pageable_pinned_device_buffers.hpp"

#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"
#include "microbench/transfer/pages.hpp"

namespace microbench::transfer_hostregister_parallel {

constexpr Axis axes[] = {
    {.name = "bytes",
     .about = "of the block",
     .values = {16 << 20, 128 << 20},
     .quick = {16 << 20},
     .unit = Unit::bytes},
    {.name = "threads", .about = "that map the pages", .values = {1, 4, 8}, .quick = {8}}};

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto threads = static_cast<int>(point["threads"]);
  if (threads > setup.threads)
    throw Skip("needs " + std::to_string(threads) + " CPU threads, the session has " +
               std::to_string(setup.threads));
  require_registration(setup.device);
  const auto found = std::make_shared<std::uint64_t>(0);
  return {
      .naive =
          [found, size] {
            const PinnedBuffer pinned(size);
            *found = use_pages(pinned.bytes());
          },
      .optimized =
          [found, size, threads] {
            const FreshPages pages(size);
            map_pages(pages.bytes(), threads);
            const PageLock pinned(pages.bytes());
            *found = use_pages(pages.bytes());
          },
      .clear = [found] { *found = 0; },
      .answer = [found](Form) -> Answer { return number_bytes(*found); },
  };
}

extern constexpr Step step = checked({
    .id = "transfer/hostregister_parallel",
    .claim = "Pages mapped by several threads and then registered are pinned sooner than by cudaHostAlloc.",
    .claim_ids = "xfer-hostregister-parallel",
    .sides = {"cudaHostAlloc", "mapped by threads"},
    .source = cuda_semantics("pinned_use_cuda_host_register, pinned_num_register_threads"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "no figure; 8 threads are called a good value",
                    .about = "threads:8"},
    .row_seconds = 6,
});

}  // namespace microbench::transfer_hostregister_parallel
