// Use an allocator that keeps freed memory instead of giving it back to the system at once.
//
// Question: A result of 40 MiB is made and freed in each run. What share of c = a + b goes into asking the
// kernel for pages?
//
// LibTorch allocates memory for each result and frees it soon after. glibc maps large blocks from the kernel
// one by one and unmaps them when they are freed. A fresh mapping has no pages yet: each is found missing
// when it is first written, zeroed by the kernel and mapped, 4 KiB at a time unless huge pages are on. For
// operators that only move bytes that costs as much as the work, or several times as much. jemalloc and
// tcmalloc keep freed blocks for a while and hand them out again with their pages. glibc can do the same if
// you set it so (mallopt, or MALLOC_TOP_PAD_ and similar variables in the environment).
//
// When it does not matter: glibc keeps most blocks below 32 MiB once one was freed (its threshold moves);
// where results are written into memory that exists (out=, in place); where computing takes far longer than
// the pages. What it costs is memory that the program holds and does not use.
//
// A row measures c = a + b with a new c of 40 MiB each time. The first side is glibc as it is for such
// blocks; `by` names the second side: glibc set to keep what was freed, jemalloc, or tcmalloc. The libraries
// are loaded beside glibc's malloc and serve LibTorch's tensors alone, so the rest of the process stays as it
// is.
//
// Answer: For an operator that only moves bytes, up to half or more in pages of 4 KiB: 40 MiB are 10,240 of
// them, each to be found, cleared and mapped. An allocator that keeps the block pays once. In huge pages
// there are 20. Look at the page faults beside the row: on two cores of an EPYC it could not tell a
// difference (-3.3 %, commit 03cee4c).

#include "microbench/cpu/allocators.hpp"
#include "microbench/tip.hpp"

namespace microbench::cpu_malloc {

constexpr Axis axes[] = {
    {.name = "by",
     .about = "the fast form's allocator. glibc_keeps: glibc told to keep what was freed",
     .labels = {"glibc_keeps", "jemalloc", "tcmalloc"}},
};
constexpr std::int64_t elements = 10 << 20;

std::vector<std::string> libraries(std::int64_t way) {
  if (way == 1) return {"libjemalloc.so.2", "libjemalloc.so"};
  return {"libtcmalloc_minimal.so.4", "libtcmalloc.so.4", "libtcmalloc_minimal.so"};
}

struct State {
  at::Tensor a, b, c;
  std::optional<LibraryAllocator> library;
  AllocatorSwitch allocators;  // last: LibTorch lets go of the library's allocator before that goes away
};

Trial prepare(Setup&, const Point& point) {
  const auto way = point["by"];
  const auto s = std::make_shared<State>();
  if (way > 0) s->library.emplace(libraries(way));
  s->a = at::arange(elements, at::TensorOptions().dtype(at::kFloat));
  s->b = at::ones({elements});

  const auto form = [s] {
    s->c = at::Tensor();
    s->c = at::add(s->a, s->b);
  };
  return {
      .naive = form,
      .optimized = form,
      .clear = [s] { s->c = at::zeros({1}); },
      .answer = [s](Form) { return numbers_of(s->c.slice(0, 0, std::nullopt, 4099)); },
      .before_slot =
          [s](Form which) {
            s->c = at::zeros({1});  // the old result goes back to where it came from
            if (which == Form::naive) return s->allocators.map_each_block();
            if (!s->library) return s->allocators.keep_freed();
            AllocatorSwitch::use(*s->library);
          },
  };
}

extern constexpr Step step = checked({
    .id = "cpu/malloc",
    .claim = "An allocator that keeps freed memory is faster than glibc's by itself for large tensors.",
    .claim_ids = "cpu-malloc",
    .sides = {"glibc", "keeps memory"},
    .source = tuning_guide("CPU specific optimizations, Switch Memory allocator"),
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
});

}  // namespace microbench::cpu_malloc
