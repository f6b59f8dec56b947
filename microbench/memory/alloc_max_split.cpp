// Leave large cached blocks whole (max_split_size_mb), so that the next step finds them.
//
// Question: Each step takes 256 MiB, gives them back, and then keeps 16 MiB more than the step before. How
// much memory does the allocator reserve after eight steps, and how much if it may not split large blocks?
//
// The caching allocator keeps what was freed, and splits a large block if a smaller one is asked for. The
// memory that the first step keeps then splits the block that the second step needs. The rest is too small,
// so the allocator asks the driver for another 256 MiB, and the first block serves small pieces from then on.
// With `max_split_size_mb:128` a block above 128 MiB is never split and never given to a smaller request: the
// pieces get segments of their own, and the large block is there again.
//
// What it costs: a large block that nobody asks for again stays unused until memory runs out. The setting is
// a last resort; the documentation says that its cost is between nothing and much. When it does not matter:
// if a program keeps nothing between its large requests, or if all large requests come first
// (`keeps:nothing`).
//
// The result is memory, and the verdict is about what was reserved at the peak; the segments that were asked
// of the driver stand beside it. A run begins with an empty cache. The setting applies to the whole process.
// Each side sets its own and restores the old one.
//
// Answer: Each step may ask for another 256 MiB, because the block of the step before has been cut: up to
// eight of them. If large blocks are not split, one block of 256 MiB serves all steps, and the kept pieces
// of 16 MiB have segments of their own: 384 MiB in all.

#include "microbench/memory/allocator_settings.hpp"
#include "microbench/tip.hpp"

namespace microbench::memory_alloc_max_split {

constexpr Axis axes[] = {{.name = "keeps",
                          .about = "what each step leaves behind in the memory that it has used",
                          .labels = {"piece", "nothing"}}};
constexpr int steps = 8;
constexpr std::int64_t mib = 1 << 20;
constexpr std::int64_t large = 256 * mib;
constexpr std::int64_t kept = 16 * mib;
constexpr const char* off = "max_split_size_mb:17592186044415";  // all of a 64-bit address space

Trial prepare(Setup& setup, const Point& point) {
  const auto device = setup.device;
  const bool keeps = point["keeps"] == 0;
  require_device_memory(static_cast<std::size_t>((steps + 1) * large));
  const auto bytes = at::TensorOptions().device(torch_device(device)).dtype(at::kByte);
  const auto total = at::zeros({1}, bytes);

  const auto run_with = [=](bool whole) {
    empty_cache(device);
    const AllocatorSettings splitting(whole ? "max_split_size_mb:128" : off, off);
    std::vector<at::Tensor> results;
    for (int i = 0; i < steps; ++i) {
      total.add_(marked_block(large, bytes).narrow(0, 0, 1));
      if (keeps) results.push_back(at::empty({kept}, bytes));
    }
  };
  const auto naive = [run_with] { run_with(false); };
  const auto optimized = [run_with] { run_with(true); };
  return allocator_trial(total, naive, optimized, [=]() -> std::vector<Figure> {
    return {reserved_figure(device, naive, optimized), segments_figure(device, naive, optimized)};
  });
}

extern constexpr Step step = checked({
    .id = "memory/alloc_max_split",
    .claim = "A limit on the blocks that may be split reserves less memory if steps leave pieces behind.",
    .claim_ids = "alloc-max-split",
    .source = cuda_semantics("Optimizing memory usage with PYTORCH_CUDA_ALLOC_CONF, max_split_size_mb"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "keeps:piece"},
    .delta = 0.01,  // bytes have no noise
});

}  // namespace microbench::memory_alloc_max_split
