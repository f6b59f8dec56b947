// Load batches with workers while the training computes: when the data set already lies in memory.
//
// Question: The data set lies in memory. Do five workers make an epoch of 4 KiB batches shorter or longer,
// and by what factor?
//
// A batch that only has to be copied together takes microseconds. To get it from a worker costs as much or
// more: the worker is woken to make it, the loop is woken to take it, and the batch lies in the cache of
// another core. Waking a thread is one call into the system; a process also needs a message each way. The
// advice "use workers" then slows the loop that it was meant to speed up; the author of the case study
// (docs/stgym.md) tried five of them and took them out again.
//
// When it does not matter: with batches so large that copying one takes far longer than a hand-over (see
// `batch`), or where the source is slow (workers_slow_source: the same tip, the opposite verdict).
//
// This is the cheapest way to pass batches: a ring of memory, made once, that the loop reads in place.
// PyTorch makes new shared memory for each batch of a process and pickles a description of it. The workers
// are started before anything is timed; what starting costs stands beside the times. An epoch ends with empty
// queues, so that none begins with batches that another one paid for.
//
// Answer: Longer: handing over a batch costs more than copying 4 KiB. On the H200's host (commit 7400cad) an
// epoch took 12 times as long with five threads, 115 us -> 1.33 ms. With batches of 1 MiB it can turn
// around.

#include "microbench/dataload/epoch.hpp"
#include "microbench/dataload/sources.hpp"
#include "microbench/tip.hpp"

namespace microbench::dataload_workers_ready_source {

constexpr std::int64_t workers[] = {1, 5};
constexpr Axis axes[] = {
    {.name = "as", .about = worker_kinds_about, .quick = {0}, .labels = worker_kind_names},
    {.name = "workers",
     .about = "of the form with workers; the other has none",
     .values = workers,
     .quick = {5}},
    {.name = "batch",
     .about = "bytes of one batch",
     .values = {4 << 10, 1 << 20},
     .quick = {4 << 10},
     .unit = Unit::bytes},
};

/// In an epoch: enough to fill any queue several times over, few enough that large ones stay quick.
std::int64_t batches_of(std::int64_t size) { return std::clamp<std::int64_t>((8 << 20) / size, 32, 128); }

Trial prepare(Setup& setup, const Point& point) {
  const auto kind = static_cast<WorkerKind>(point["as"]);
  const auto size = point["batch"];
  const auto plan_of = [&](int n) -> EpochPlan {
    return {ready_source, batches_of(size), static_cast<std::size_t>(size), n, kind, setup.loader};
  };
  const auto without = start_epochs(plan_of(0));
  const auto with = start_epochs(plan_of(static_cast<int>(point["workers"])));
  const auto seen = std::make_shared<std::uint64_t>(0);

  return {
      .naive = [seen, without] { *seen = without.run(); },
      .optimized = [seen, with] { *seen = with.run(); },
      .clear = [seen] { *seen = 0; },
      .answer = [seen](Form) { return bytes_of(*seen); },
      .figures = [without, with] { return start_up_figures(without, with); },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/workers_ready_source",
    .claim = "Workers make an epoch longer when its data set already lies in memory.",
    .claim_ids = "data-workers-hurt",
    .sides = {"no workers", "workers"},
    .source = {.title = "Optimizing PyTorch CUDA performance: a 90% speedup journey",
               .url = "https://xiaohan2012.github.io/2025/torch-cuda-optimization",
               .where = "What was tried that didn't work well, 3"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::hurts,
                    .published = "workers 0 -> 5: Self CPU up to 32 s (A30)",
                    .except = "batch:1MiB"},
    .suite = Suite::quick,
});

}  // namespace microbench::dataload_workers_ready_source
