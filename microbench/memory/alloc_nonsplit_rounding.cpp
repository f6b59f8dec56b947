// Let a large cached block serve a request that is much smaller (max_non_split_rounding_mb).
//
// Question: Large blocks may not be split, and eight batches take 300, 270, 240 MiB and so on. How often does
// the allocator ask the driver for memory, and how often if a block may be 1 GiB larger than the request?
//
// With `max_split_size_mb` large blocks are never split. A request then takes such a block only whole, and
// only if the block is at most 20 MiB larger. A batch that is 30 MiB smaller than the one before finds
// nothing in the cache, and each cudaMalloc waits for the device. `max_non_split_rounding_mb` moves that
// limit: with 1024 the block of the first batch serves all that follow.
//
// What it costs is memory: nothing uses the part of a block above the request. When it does not matter:
// without `max_split_size_mb`, which is off by default, and with batches of one size (`less:0`).
//
// A run begins with an empty cache. The result is the number of segments that were asked of the driver, and
// the verdict is about it; what was reserved at the peak stands beside it. Both sides set
// `max_split_size_mb:64`, and the settings before are put back.
//
// Answer: Once for each batch, since each is 30 MiB smaller than the block that lies there, and only 20 MiB
// are allowed. With 1,024 MiB once: the first block serves all that follow.

#include "microbench/memory/allocator_settings.hpp"
#include "microbench/tip.hpp"

namespace microbench::memory_alloc_nonsplit_rounding {

constexpr Axis axes[] = {
    {.name = "less",
     .about = "MiB by which each batch is smaller than the one before; the first has 300",
     .values = {30, 0}}};
constexpr int batches = 8;
constexpr std::int64_t first = 300;
constexpr const char* off = "max_split_size_mb:17592186044415,max_non_split_rounding_mb:20";

Trial prepare(Setup& setup, const Point& point) {
  const auto device = setup.device;
  const auto less = point["less"];
  require_device_memory(static_cast<std::size_t>(batches * first) << 20);
  const auto bytes = at::TensorOptions().device(torch_device(device)).dtype(at::kByte);
  const auto total = at::zeros({1}, bytes);

  const auto run_with = [=](const char* rounding) {
    empty_cache(device);
    const AllocatorSettings settings(
        std::string("max_split_size_mb:64,max_non_split_rounding_mb:") + rounding, off);
    for (int i = 0; i < batches; ++i)
      total.add_(marked_block((first - i * less) << 20, bytes).narrow(0, 0, 1));
  };
  return driver_calls_trial(device, total, [run_with] { run_with("20"); }, [run_with] { run_with("1024"); });
}

extern constexpr Step step = checked({
    .id = "memory/alloc_nonsplit_rounding",
    .claim = "If whole blocks may serve smaller requests, the allocator asks the driver less often.",
    .claim_ids = "alloc-nonsplit-rounding",
    .source =
        cuda_semantics("Optimizing memory usage with PYTORCH_CUDA_ALLOC_CONF, max_non_split_rounding_mb"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "no figure; 20 MB by default",
                    .about = "less:30"},
    .delta = 0.01,  // calls have no noise
});

}  // namespace microbench::memory_alloc_nonsplit_rounding
