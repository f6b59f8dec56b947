// Ask the system for huge pages where you allocate large buffers and pin them.
//
// Question: 64 MiB are touched for the first time, in pages of 4 KiB or of 2 MiB. How many times does the
// system find a page, and how much of the time does that take?
//
// Memory fresh from the system has no pages yet. The first write to each stops the program: the system finds
// a page, clears it and enters it into the table, 16,384 times for 64 MiB. Where the system is asked for huge
// pages (madvise with MADV_HUGEPAGE), it does so 32 times, 2 MiB each. Clearing takes just as long; the rest
// of the time is saved. Pinning gains, too: cudaHostRegister locks page after page and enters each for the
// device, and there are 512 times fewer.
//
// When it does not matter: for memory that was touched long ago and stays; for small blocks; where the system
// gives huge pages anyway ("always") or never. What it costs: memory comes in pieces of 2 MiB, so a table
// that is touched here and there holds far more; on a machine whose memory is in small pieces the system has
// to make room first, which takes longer than it saves.
//
// A row maps 64 MiB, touches every 4 KiB and gives them back; with `use:register` it also pins them in
// between. Beside the times stands how often a page was found. Without huge pages there is no row.
//
// Answer: 16,384 times and 32 times. Finding the pages takes much of the time of a first touch. Pinning 1.5
// TB was published as 242 -> 98 s.

#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"
#include "microbench/transfer/pages.hpp"

#include <sys/resource.h>

namespace microbench::transfer_huge_pages {

enum Use : std::int64_t { touch, registered };
constexpr Axis axes[] = {
    {.name = "use",
     .about = "touch: the host writes to each page; register: and cudaHostRegister pins them",
     .labels = {"touch", "register"}},
    {.name = "bytes", .about = "of the block", .values = {64 << 20}, .unit = Unit::bytes}};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() == (point["use"] == registered);
}

std::uint64_t use_memory(std::size_t size, std::int64_t use, int advice) {
  const FreshPages pages(size);
  if (madvise(pages.bytes().data(), size, advice) != 0) throw Skip("the system has no huge pages");
  map_pages(pages.bytes(), 1);
  if (use == touch) return use_pages(pages.bytes());
  const PageLock pinned(pages.bytes());
  return use_pages(pages.bytes());
}

/// How often the system found a page for this thread.
double pages_found(std::size_t size, int advice) {
  const auto so_far = [] {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return static_cast<double>(usage.ru_minflt);
  };
  const auto before = so_far();
  use_memory(size, touch, advice);
  return so_far() - before;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto use = point["use"];
  if (use == registered) require_registration(setup.device);
  if (pages_found(size, MADV_HUGEPAGE) > pages_found(size, MADV_NOHUGEPAGE) / 2)
    throw Skip("the system gives no huge pages (/sys/kernel/mm/transparent_hugepage/enabled)");
  const auto found = std::make_shared<std::uint64_t>(0);
  return {
      .naive = [=] { *found = use_memory(size, use, MADV_NOHUGEPAGE); },
      .optimized = [=] { *found = use_memory(size, use, MADV_HUGEPAGE); },
      .clear = [found] { *found = 0; },
      .answer = [found](Form) -> Answer { return number_bytes(*found); },
      .figures = [size]() -> std::vector<Figure> {
        return {
            {"pages found", "times", pages_found(size, MADV_NOHUGEPAGE), pages_found(size, MADV_HUGEPAGE)}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "transfer/huge_pages",
    .claim = "A large block is touched and pinned sooner in huge pages.",
    .sides = {"4 KiB pages", "2 MiB pages"},
    .source = {"MORI", "https://github.com/ROCm/mori/pull/679", "pull request 679"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "242 -> 98 s to register 1.5 TB",
                    .on_cpu = Outcome::helps},
});

}  // namespace microbench::transfer_huge_pages
