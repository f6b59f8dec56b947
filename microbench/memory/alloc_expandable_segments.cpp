// Let the allocator's segments grow (expandable_segments) where sizes change slightly from step to step.
//
// Question: Batches of N, N - 1 and N + 1: how much more memory than it uses does the allocator reserve, and
// how much with growing segments?
//
// The allocator asks the driver for segments and cuts blocks from them. With a batch of N, each large
// activation gets a segment of its own size; the next batch has N + 1, every block is a little too small, and
// new segments are fetched while the old ones keep their memory. With expandable segments the allocator
// reserves a range of addresses that is as long as the device's memory, and maps pages after its end as they
// are needed: there is one segment, and freed pieces that lie side by side can be joined.
//
// What it costs: mapping pages takes longer than a cudaMalloc of the same size when memory grows, and memory
// of this kind cannot be passed to other processes in the old way. When it does not matter: with one batch
// size, or once every size has come by and there is memory to spare. Batches of `rows:8192` have layers of 2
// MiB, of which the allocator cuts several from one segment of 20 MiB: there both sides reserve the same.
//
// The result is memory, and the verdict is about what was reserved at the peak; what of it was in use, and
// what a run takes, stand beside it. A run begins with an empty cache and goes several times through batches
// of N, N - 1 and N + 1, the source's example. The setting applies to the whole process. Each side sets its
// own and restores the old one.
//
// Answer: Without, up to a set of segments for each size that comes, so that several times the used memory
// can be reserved. With growing segments little more than the largest batch needs, because freed pieces side
// by side are joined.

#include "microbench/memory/allocator_settings.hpp"
#include "microbench/tip.hpp"

#include <filesystem>

namespace microbench::memory_alloc_expandable_segments {

constexpr Axis axes[] = {
    {.name = "rows", .about = "of a batch, N; 256 bytes each", .values = {8 << 10, 128 << 10}}};
constexpr int rounds = 4;
constexpr const char* off = "expandable_segments:False";

Trial prepare(Setup& setup, const Point& point) {
  // Not to be tried out: LibTorch's allocator does not survive a refusal (pytorch issues 188008, 192330).
  if (std::filesystem::exists("/dev/dxg")) throw Skip("WSL's driver may refuse expandable segments");
  const auto n = point["rows"];
  const auto step = n / 64;  // a slight change that no rounding hides
  const auto device = setup.device;
  require_device_memory(VaryingLengths::bytes(n) * 6);
  const auto s = std::make_shared<VaryingLengths>(device, setup.seed, n + step);

  const auto run_with = [s, n, step, device](bool expandable) {
    empty_cache(device);
    const AllocatorSettings segments(expandable ? "expandable_segments:True" : off, off);
    for (int i = 0; i < rounds; ++i)
      for (const auto rows : std::array{n, n - step, n + step}) s->step(rows);
  };
  const auto naive = [run_with] { run_with(false); };
  const auto optimized = [run_with] { run_with(true); };
  return allocator_trial(s->total, naive, optimized, [=]() -> std::vector<Figure> {
    return {reserved_figure(device, naive, optimized),
            {"in use at the peak", "MiB", allocated_peak(device, naive), allocated_peak(device, optimized)}};
  });
}

extern constexpr Step step = checked({
    .id = "memory/alloc_expandable_segments",
    .claim = "Expandable segments reserve less memory where the batch size changes slightly.",
    .claim_ids = "alloc-expandable-segments",
    .source = cuda_semantics("Optimizing memory usage with PYTORCH_CUDA_ALLOC_CONF, expandable_segments"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "rows:131072"},
    .tolerance = {.relative = 1e-5, .why = "the library may choose its kernel by the alignment of addresses"},
    .delta = 0.01,  // bytes have no noise
    .row_seconds = 8,
});

}  // namespace microbench::memory_alloc_expandable_segments
