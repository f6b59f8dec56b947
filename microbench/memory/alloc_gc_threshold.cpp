// Let the allocator drop what is long unused before memory runs out (garbage_collection_threshold).
//
// Question: Every step takes a block of a new size and the same twelve others, and memory is nearly full. How
// often does the allocator ask the driver for memory, and how often if it drops old blocks at 80 %?
//
// The caching allocator keeps each freed block. If a block of a new size no longer fits, it waits for the
// device, gives all unused blocks back to the driver, and asks again; the next steps then ask for each of
// their blocks once more. With `garbage_collection_threshold:0.8` it acts earlier: above 80 % of the memory
// that it may use, it frees those blocks that have been unused the longest. The twelve that every step takes
// are young and stay.
//
// What it costs: an age is kept for each block, and a program that needs an old block again pays a
// cudaMalloc. When it does not matter: while memory is far from full, which is nearly always (`limit:loose`).
// The threshold counts only if the process has a limit (`torch.cuda.set_per_process_memory_fraction`).
//
// A run begins with an empty cache and a limit, and goes through forty steps. The result is the number of
// segments that were asked of the driver, and the verdict is about it; the times stand beside it. Setting and
// limit apply to the whole process. Each side sets its own and restores the old ones.
//
// Answer: Without, memory fills, everything unused is freed at once, and the twelve young blocks are asked
// for again, time after time. With the threshold the old blocks go first, so that hardly more than the one
// new block of a step is asked of the driver.

#include "microbench/memory/allocator_settings.hpp"
#include "microbench/tip.hpp"

namespace microbench::memory_alloc_gc_threshold {

namespace caching = c10::cuda::CUDACachingAllocator;

constexpr std::int64_t mib = 1 << 20;
constexpr std::int64_t limits[] = {1024, 4096};  // MiB
constexpr Axis axes[] = {{.name = "limit",
                          .about = "of the process, beside what it holds already: 1 GiB or 4 GiB",
                          .labels = {"tight", "loose"}}};
constexpr int steps = 40;
constexpr int same_blocks = 12;
constexpr std::int64_t same_size = 24 * mib;
constexpr std::int64_t first_new_size = 26 * mib;
constexpr std::int64_t growth = 2 * mib;                              // no two sizes share a segment
constexpr const char* off = "garbage_collection_threshold:0.999999";  // 0 is refused

/// The process may hold so many bytes more than it does while this lives.
class Limit {
 public:
  Limit(const Device& device, std::int64_t more)
      : index_(static_cast<c10::DeviceIndex>(device.index)), before_(caching::getMemoryFraction(index_)) {
    std::size_t free = 0;
    std::size_t all = 0;
    check(cudaMemGetInfo(&free, &all));
    constexpr auto sum = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
    const auto held = caching::getDeviceStats(index_).reserved_bytes[sum].current;
    caching::setMemoryFraction(static_cast<double>(held + more) / static_cast<double>(all), index_);
  }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
  ~Limit() { caching::setMemoryFraction(before_, index_); }

 private:
  c10::DeviceIndex index_;
  double before_;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto device = setup.device;
  const auto limit = limits[point["limit"]] * mib;
  require_device_memory(static_cast<std::size_t>(limit));
  const auto bytes = at::TensorOptions().device(torch_device(device)).dtype(at::kByte);
  const auto total = at::zeros({1}, bytes);

  const auto step = [=](int i) {
    const auto of_new_size = marked_block(first_new_size + i * growth, bytes);
    std::vector<at::Tensor> blocks;
    for (int k = 0; k < same_blocks; ++k) blocks.push_back(at::empty({same_size}, bytes));
    total.add_(of_new_size.narrow(0, 0, 1));
  };
  const auto run_with = [=](const char* setting) {
    empty_cache(device);
    const Limit near(device, limit);
    const AllocatorSettings collecting(setting, off);
    for (int i = 0; i < steps; ++i) step(i);
    empty_cache(device);
  };
  const auto naive = [run_with] { run_with(off); };
  const auto optimized = [run_with] { run_with("garbage_collection_threshold:0.8"); };
  return allocator_trial(total, naive, optimized, [=]() -> std::vector<Figure> {
    return {segments_figure(device, naive, optimized)};
  });
}

extern constexpr Step step = checked({
    .id = "memory/alloc_gc_threshold",
    .claim = "Near the limit of memory, dropping old blocks early saves freeing all of them.",
    .claim_ids = "alloc-gc-threshold",
    .source =
        cuda_semantics("Optimizing memory usage with PYTORCH_CUDA_ALLOC_CONF, garbage_collection_threshold"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "limit:tight"},
    .delta = 0.01,  // calls have no noise
});

}  // namespace microbench::memory_alloc_gc_threshold
