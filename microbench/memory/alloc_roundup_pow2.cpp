// Round the sizes of blocks up, so that one that is nearly as large fits (roundup_power2_divisions).
//
// Question: Batches of thirty sizes, each a little larger than the one before: how often does the allocator
// ask the driver for memory, and how often if sizes are rounded up to a quarter of a power of two?
//
// The caching allocator keeps freed blocks and gives one out again if it is large enough. A request is
// rounded to 512 bytes, and above 10 MiB what is asked of the driver to 2 MiB. So batches that grow by KiB
// share a segment already; once they are 2 MiB apart, each new size needs a segment of its own. With
// `roundup_power2_divisions:4` the request itself is rounded up to the next of four steps between two powers
// of two, 2 MiB apart above 8 MiB and 8 MiB apart above 32 MiB: many sizes become one, and the block of the
// last batch fits.
//
// What it costs is memory: up to a fifth of a block is never used (1025 becomes 1280), and a process near the
// device's limit may run out earlier. When it does not matter: with one batch size, or when every size has
// come by once and memory to spare keeps all of their blocks.
//
// A run begins with an empty cache and takes activations of growing batches, two tensors at a time. The
// result is the number of segments that were asked of the driver, and the verdict is about it; what was
// reserved at the peak stands beside it. The setting applies to the whole process. Each side sets its own and
// restores the old one.
//
// Answer: As often as there are steps in the range of sizes, for each of two tensors. Batches that grow by
// 256 KiB pass five steps of 2 MiB, and four if they are rounded: 10 and 8 requests. If they grow by 2 MiB,
// each of the thirty is a step of its own, and rounding leaves twelve: 60 and 24.

#include "microbench/memory/allocator_settings.hpp"
#include "microbench/tip.hpp"

namespace microbench::memory_alloc_roundup_pow2 {

constexpr Axis axes[] = {
    {.name = "kib",
     .about = "KiB by which each batch is larger than the one before; the first has 12 MiB",
     .values = {256, 2048}}};
constexpr int batches = 30;
constexpr std::int64_t first_kib = 12 << 10;
constexpr const char* off = "roundup_power2_divisions:1";

Trial prepare(Setup& setup, const Point& point) {
  const auto device = setup.device;
  const auto more = point["kib"];
  require_device_memory(static_cast<std::size_t>(2 * batches * (first_kib + batches * more)) << 10);
  const auto bytes = at::TensorOptions().device(torch_device(device)).dtype(at::kByte);
  const auto total = at::zeros({1}, bytes.dtype(at::kFloat));

  // An activation and its gradient, as far as memory is concerned.
  const auto batch = [total, bytes](std::int64_t kib) {
    const auto activation = at::ones({kib << 10}, bytes);
    const auto gradient = at::empty_like(activation);
    total.add_(activation.narrow(0, 0, 1));
  };
  const auto run_with = [batch, more, device](const char* rounding) {
    empty_cache(device);
    const AllocatorSettings settings(rounding, off);
    for (int i = 0; i < batches; ++i) batch(first_kib + i * more);
  };
  return driver_calls_trial(
      device, total, [run_with] { run_with(off); }, [run_with] { run_with("roundup_power2_divisions:4"); });
}

extern constexpr Step step = checked({
    .id = "memory/alloc_roundup_pow2",
    .claim = "With sizes rounded up to a quarter of a power of two the allocator asks the driver less often.",
    .claim_ids = "alloc-roundup-pow2",
    .source =
        cuda_semantics("Optimizing memory usage with PYTORCH_CUDA_ALLOC_CONF, roundup_power2_divisions"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure; 1200 becomes 1280 in the example"},
    .delta = 0.01,  // calls have no noise
});

}  // namespace microbench::memory_alloc_roundup_pow2
