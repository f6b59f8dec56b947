// Let each worker load several batches ahead instead of one.
//
// Question: One batch in 16 takes 16 times as long as the others. Does a longer queue help, if the mean stays
// the same?
//
// A worker that may have one batch in work or ready stops after it until the training has taken it. As long
// as every batch takes equally long that is enough: the next one is made while the training computes. But
// batches are seldom equal. While a slow one is made, the training takes the few that lie ready and then
// waits. With a longer queue the slow batch was begun earlier, and more ready ones bridge the time that it
// takes. In PyTorch the length is prefetch_factor for each worker, in LibTorch max_jobs for all of them
// together.
//
// When it does not matter: where batches take equally long (`batches:even`: the same mean, no variance);
// where the workers are too slow on average, since a queue that is always empty bridges nothing. What it
// costs is memory: workers x prefetch batches lie in it, pinned ones perhaps.
//
// A row measures epochs of 64 batches of 1 MiB with four threads as workers. The training is a pass over each
// batch, about as long as four workers need for one on average (0.12 ms). Even batches take 0.48 ms to
// arrive; of the uneven ones one in 16 takes 4 ms and the others 0.25 ms.
//
// Answer: Yes, with uneven batches: the slow one was begun earlier, and more ready ones bridge its 4 ms. On
// two cores of an EPYC two batches ahead took 9 % less than one, eight 46 % (commit 03cee4c). With even
// batches of the same mean the next batch is always ready in time, and a longer queue gains next to
// nothing.

#include "microbench/dataload/epoch.hpp"
#include "microbench/dataload/sources.hpp"
#include "microbench/tip.hpp"

namespace microbench::dataload_prefetch_factor {

constexpr std::int64_t quick_depths[] = {8};
constexpr Axis axes[] = {
    {.name = "batches",
     .about = "uneven: one in 16 takes 4 ms to arrive, the others 0.25 ms; even: each takes 0.48 ms",
     .quick = {0},
     .labels = {"uneven", "even"}},
    {.name = "prefetch",
     .about = "batches ahead of each worker in the fast form; the slow one has one",
     .values = {2, 8},
     .quick = quick_depths},
};

/// Where all batches take equally long, the longest queue shows it.
bool takes(const Point& point, const Device&) {
  return point["batches"] == 0 || point["prefetch"] == quick_depths[0];
}

Trial prepare(Setup&, const Point& point) {
  const bool even = point["batches"] == 1;
  const auto plan_of = [&](std::int64_t prefetch) -> EpochPlan {
    return {.source = even ? even_source : uneven_source,
            .batches = 64,
            .batch_bytes = 1 << 20,
            .workers = 4,
            .prefetch = static_cast<int>(prefetch)};
  };
  const auto one = start_epochs(plan_of(1));
  const auto several = start_epochs(plan_of(point["prefetch"]));
  const auto seen = std::make_shared<std::uint64_t>(0);

  return {
      .naive = [seen, one] { *seen = one.run(); },
      .optimized = [seen, several] { *seen = several.run(); },
      .clear = [seen] { *seen = 0; },
      .answer = [seen](Form) { return bytes_of(*seen); },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/prefetch_factor",
    .claim = "Several batches ahead of each worker shorten an epoch whose batches take unequally long.",
    .claim_ids = "data-prefetch-factor",
    .sides = {"one ahead", "several ahead"},
    .source = data_loading("torch.utils.data.DataLoader, prefetch_factor"),
    .runs = Runs::host,
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
});

}  // namespace microbench::dataload_prefetch_factor
