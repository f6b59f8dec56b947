// With inputs of varying length, run the longest once before the training starts.
//
// Question: 24 lengths come in rising order. How much less memory is reserved if the longest has come first,
// and in random order?
//
// The caching allocator reuses a freed block only where it is large enough. When lengths grow in the course
// of training, each new record finds blocks that are all too small: it asks the driver for new ones, and the
// old ones lie about, of use to shorter inputs only. Reserved memory grows to far above what any step needs;
// when the device is full, the allocator gives back its whole cache, waits, and starts again. One forward and
// backward pass over the longest input at the start reserves blocks from which every later step can cut what
// it needs. The optimizer must not step on it, and its gradients are dropped.
//
// When it does not matter: with lengths in random order the records fall into the first steps anyway; with
// small tensors, which share segments of 2 MiB (`batch:1`). On the CPU there is no such cache, and the pass
// costs time for nothing.
//
// A run is a whole short training, 24 lengths, from an empty cache: both sides begin with emptyCache() on a
// GPU, and the time of the second side includes its extra pass. Reserved memory stands beside the times.
//
// Answer: In rising order each record finds blocks that are too small, so several times what a step needs
// can be reserved; with the longest first, one set of blocks serves all. In random order a long input comes
// early anyway, and little is saved.

#include "microbench/memory/varying_lengths.hpp"
#include "microbench/tip.hpp"

#include <random>

namespace microbench::memory_alloc_prealloc_varlen {

constexpr Axis axes[] = {{.name = "batch", .about = "sequences in a step", .values = {1, 64, 256}},
                         {.name = "order",
                          .about = "of the lengths: from short to long, or shuffled",
                          .labels = {"rising", "random"}}};
constexpr std::int64_t steps_in_run = 24;
constexpr std::int64_t shortest = 40;

std::vector<std::int64_t> lengths_in(bool random, std::uint64_t seed) {
  std::vector<std::int64_t> lengths(steps_in_run);
  for (std::int64_t i = 0; i < steps_in_run; ++i) lengths[static_cast<std::size_t>(i)] = shortest * (i + 1);
  if (random) std::ranges::shuffle(lengths, std::mt19937_64(seed));
  return lengths;
}

bool takes(const Point& point, const Device& device) { return device.is_cuda() || point["batch"] == 1; }

Trial prepare(Setup& setup, const Point& point) {
  const auto batch = point["batch"];
  const auto longest = shortest * steps_in_run;
  const auto device = setup.device;
  if (device.is_cuda()) require_device_memory(VaryingLengths::bytes(batch * longest) * steps_in_run / 2);
  const auto s = std::make_shared<VaryingLengths>(device, setup.seed, batch * longest);
  auto rows = lengths_in(point["order"] == 1, setup.seed);
  for (auto& n : rows) n *= batch;

  const auto train = [s, rows] {
    for (const auto n : rows) s->step(n);
  };
  const auto naive = [device, train] {
    empty_cache(device);
    train();
  };
  const auto optimized = [s, device, train, most = batch * longest] {
    empty_cache(device);
    s->rehearse(most);
    train();
  };
  Trial trial{
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->total.fill_(0); },
      .answer = [s](Form) { return numbers_of(s->total); },
  };
  if (device.is_cuda())
    trial.figures = [naive, optimized, device]() -> std::vector<Figure> {
      return {reserved_figure(device, naive, optimized)};
    };
  return trial;
}

extern constexpr Step step = checked({
    .id = "memory/alloc_prealloc_varlen",
    .claim = "One pass over the longest input first saves training on varying lengths its new allocations.",
    .claim_ids = "alloc-prealloc-varlen",
    .sides = {"as they come", "longest first"},
    .source = tuning_guide("Preallocate memory in case of variable input length"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation =
        {.outcome = Outcome::helps, .published = "no figure", .about = "order:rising", .except = "batch:1"},
    .tolerance = {.relative = 1e-5,
                  .why = "a product may be split among threads, and so summed, in another way"},
    .row_seconds = 8,
});

}  // namespace microbench::memory_alloc_prealloc_varlen
